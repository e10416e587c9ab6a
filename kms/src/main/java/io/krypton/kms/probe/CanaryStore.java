// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.base.crypto.Sha256;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Where canaries live between two probes. Losing them weakens the proof, it is never an error. */
public interface CanaryStore {

  /** The canaries of a plugin, oldest first. */
  List<Canary> load(String plugin);

  void save(String plugin, List<Canary> canaries);

  /** Forgets them with the process. */
  static CanaryStore inMemory() {
    Map<String, List<Canary>> kept = new ConcurrentHashMap<>();
    return new CanaryStore() {
      @Override
      public List<Canary> load(String plugin) {
        return kept.getOrDefault(plugin, List.of());
      }

      @Override
      public void save(String plugin, List<Canary> canaries) {
        kept.put(plugin, List.copyOf(canaries));
      }
    };
  }

  /**
   * A sample that was once encrypted and must stay decryptable. Only a hash of the plaintext is
   * kept.
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody, and never changed
  public record Canary(
      KmsApiVersion api, EncryptedSample sample, byte[] plaintextHash, Instant createdAt) {

    static Canary of(KmsApiVersion api, EncryptedSample sample, byte[] plaintext, Instant made) {
      return new Canary(api, sample, hash(plaintext), made);
    }

    String keyId() {
      return sample.keyId();
    }

    boolean matches(byte[] plaintext) {
      return MessageDigest.isEqual(plaintextHash, hash(plaintext));
    }

    private static byte[] hash(byte[] plaintext) {
      return Sha256.digest(plaintext);
    }
  }
}
