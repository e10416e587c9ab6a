package io.krypton.multicluster.cluster;

import io.krypton.base.crypto.Sha256;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import org.jspecify.annotations.Nullable;

/** The kubeconfig that a Secret holds, unparsed, and its hash to detect changes. */
public final class SecretContent {
  private final String key;
  private final byte @Nullable [] bytes;
  private final String hash;

  private SecretContent(String key, byte @Nullable [] bytes) {
    this.key = key;
    this.bytes = bytes;
    this.hash = bytes == null ? "none" : Sha256.hex(bytes);
  }

  public static SecretContent of(String key, byte @Nullable [] bytes) {
    return new SecretContent(key, bytes == null ? null : bytes.clone());
  }

  boolean equalsBytesOf(SecretContent other) {
    return hash.equals(other.hash);
  }

  ParsedKubeconfig parse() {
    return bytes == null
        ? new ParsedKubeconfig.Refused(
            "the Secret has no key " + key + "; store the kubeconfig under that key")
        : ParsedKubeconfig.parse(bytes);
  }

  @Override
  public String toString() {
    return "SecretContent[redacted]";
  }
}
