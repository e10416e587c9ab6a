package io.krypton.api;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names that must fit a limit of Kubernetes or Helm. */
public final class NameShortener {
  private static final int HASH_LENGTH = 12;

  private NameShortener() {}

  /** The name itself if it fits; else its beginning and a hash that keeps it unique. */
  public static String shorten(String name, int limit) {
    if (name.length() <= limit) {
      return name;
    }
    var beginning = name.substring(0, limit - HASH_LENGTH - 1);
    if (beginning.endsWith(".")) {
      // Helm refuses ".-" in a release name.
      beginning = beginning.substring(0, beginning.length() - 1) + "-";
    }
    return beginning + "-" + sha256(name).substring(0, HASH_LENGTH);
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
