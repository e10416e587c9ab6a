package io.krypton.agent.reporter.report;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The name under which a node's reporter owns its fields. */
public final class FieldManager {
  /** The API server's limit. */
  static final int MAX_LENGTH = 128;

  private static final String PREFIX = "kms-health-reporter-";

  private FieldManager() {}

  public static String of(String nodeName) {
    var plain = PREFIX + nodeName;
    return plain.length() <= MAX_LENGTH ? plain : PREFIX + Sha256.hex(nodeName);
  }

  /** Lower-case hex of a text's SHA-256. */
  static final class Sha256 {
    private Sha256() {}

    static String hex(String text) {
      try {
        var digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java runtime has SHA-256", e);
      }
    }
  }
}
