package io.krypton.operator.kmshealth.input;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The names under which fields of a status are owned. */
public final class KmsFieldManagers {
  public static final String AGGREGATOR = "krypton-kms-aggregator";
  public static final String STATUS_SYNCER = "krypton-status-syncer";

  private static final String REPORTER = "kms-health-reporter-";
  private static final int LONGEST_MANAGER = 128;
  private static final int LONGEST_NAME = 253;

  private KmsFieldManagers() {}

  public static String reporter(String node) {
    return shortened(REPORTER, node, LONGEST_MANAGER);
  }

  /** The name of a reporter's Lease, which follows the same rule. */
  public static String lease(String target, String node) {
    return shortened("kms-" + target + "-", node, LONGEST_NAME);
  }

  private static String shortened(String prefix, String node, int limit) {
    var plain = prefix + node;
    return plain.length() <= limit ? plain : prefix + sha256(node);
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
