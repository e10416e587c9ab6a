package io.krypton.kms.health;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The form in which a remote key id may be shown; equal to the label in kube-apiserver's metrics.
 */
public final class KeyIdHash {
  private static final String PREFIX = "sha256:";
  private static final int BRIEF_LENGTH = PREFIX.length() + 12;

  private KeyIdHash() {}

  /** {@code sha256:} and 64 hex digits; an empty id stays empty. */
  public static String of(String keyId) {
    if (keyId.isEmpty()) {
      return "";
    }
    try {
      var hash = MessageDigest.getInstance("SHA-256").digest(keyId.getBytes(UTF_8));
      return PREFIX + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** The first digits, for texts that people read. */
  static String abbreviated(String keyId) {
    return keyId.isEmpty() ? "\"\"" : of(keyId).substring(0, BRIEF_LENGTH);
  }
}
