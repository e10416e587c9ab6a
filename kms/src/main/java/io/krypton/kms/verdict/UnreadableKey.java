package io.krypton.kms.verdict;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An older key whose data a plugin does not decrypt.
 *
 * @param why what became of its canary
 */
public record UnreadableKey(String keyId, Finding why) {
  /** Names the key by its hash only: {@code sha256:1a2b3c4d5e6f: NOT_FOUND: key destroyed}. */
  @Override
  public String toString() {
    return Stream.of(KeyIdHash.brief(keyId), why.code(), why.message())
        .filter(part -> !part.isEmpty())
        .collect(Collectors.joining(": "));
  }
}
