package io.krypton.agent.reporter;

import io.krypton.kms.verdict.KeyIdHash;

/** How remote key ids are published. */
public enum KeyIdFormat {
  RAW("raw"),
  SHA256("sha256");

  private final String word;

  KeyIdFormat(String word) {
    this.word = word;
  }

  public String word() {
    return word;
  }

  public String publish(String remoteKeyId) {
    return switch (this) {
      case RAW -> remoteKeyId;
      case SHA256 -> KeyIdHash.of(remoteKeyId);
    };
  }
}
