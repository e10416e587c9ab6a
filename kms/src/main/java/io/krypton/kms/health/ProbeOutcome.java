// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import io.krypton.base.kmsreport.KeyHash;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one probe found. */
public sealed interface ProbeOutcome {
  /** All checks were good. */
  record Good() implements ProbeOutcome {}

  /**
   * All checks of the current key were good, but data of older keys cannot be decrypted. That is
   * what a rotation ends with, once the old key is destroyed; the plugin is healthy.
   *
   * @param keyHashes which keys, as {@code sha256:<hex>}, newest first
   */
  record OldKeysUnreadable(ProbeFinding finding, List<String> keyHashes) implements ProbeOutcome {
    public OldKeysUnreadable {
      keyHashes = List.copyOf(keyHashes);
    }
  }

  /** Something is odd but may be a rotation in progress; neither good nor a failure yet. */
  record Suspect(ProbeFinding finding) implements ProbeOutcome {}

  record Failing(ProbeFinding finding) implements ProbeOutcome {}

  ProbeOutcome GOOD = new Good();

  /** How deep a probe goes. */
  enum ProbeLevel {
    /** Connect, then Status or Version. */
    STATUS,
    /** A round trip of Encrypt and Decrypt, and the canaries. */
    DEEP
  }

  /**
   * An older key whose data a plugin does not decrypt.
   *
   * @param why what became of its canary
   */
  record UnreadableKey(String keyId, ProbeFinding why) {
    /** Names the key by its hash only: {@code sha256:1a2b3c4d5e6f: NOT_FOUND: key destroyed}. */
    @Override
    public String toString() {
      return Stream.of(brief(keyId), why.code(), why.message())
          .filter(part -> !part.isEmpty())
          .collect(Collectors.joining(": "));
    }

    /** A key id as texts for people name it. */
    static String brief(String keyId) {
      return keyId.isEmpty() ? "\"\"" : KeyHash.of(keyId).brief();
    }
  }
}
