package io.krypton.operator.kmshealth.input;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The hash of a remote key id, written as the API server writes it into the label {@code
 * key_id_hash} of its metrics. Reporters may publish it in place of the id.
 */
public record RemoteKeyHash(String value) {
  private static final String PREFIX = "sha256:";
  private static final Pattern HASH = Pattern.compile(PREFIX + "[0-9a-f]{64}");
  private static final int SHORT = 12;

  public static RemoteKeyHash of(String remoteKeyId) {
    return new RemoteKeyHash(isHash(remoteKeyId) ? remoteKeyId : PREFIX + sha256(remoteKeyId));
  }

  static boolean isHash(String text) {
    return HASH.matcher(text).matches();
  }

  static String ofHex(String hex) {
    return PREFIX + hex;
  }

  /** Enough to tell keys apart in a message. */
  public String shortened() {
    return value.substring(PREFIX.length(), PREFIX.length() + SHORT);
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
