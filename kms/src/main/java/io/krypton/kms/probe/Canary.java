package io.krypton.kms.probe;

import io.krypton.kms.protocol.EncryptedSample;
import io.krypton.kms.protocol.KmsApi;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;

/**
 * A sample that was once encrypted and must stay decryptable. Only a hash of the plaintext is kept.
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody, and never changed
public record Canary(KmsApi api, EncryptedSample sample, byte[] plaintextHash, Instant made) {

  static Canary of(KmsApi api, EncryptedSample sample, byte[] plaintext, Instant made) {
    return new Canary(api, sample, hash(plaintext), made);
  }

  String keyId() {
    return sample.keyId();
  }

  boolean isFrom(byte[] plaintext) {
    return MessageDigest.isEqual(plaintextHash, hash(plaintext));
  }

  private static byte[] hash(byte[] plaintext) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(plaintext);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
