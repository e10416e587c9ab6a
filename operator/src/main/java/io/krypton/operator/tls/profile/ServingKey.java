package io.krypton.operator.tls.profile;

/**
 * The key of a server's certificate, as far as a profile depends on it.
 *
 * @param curve of an EC key, by the name of its group; empty for RSA
 */
public record ServingKey(Algorithm algorithm, String curve) {
  public static final ServingKey RSA = new ServingKey(Algorithm.RSA, "");
  public static final ServingKey P256 = new ServingKey(Algorithm.EC, "secp256r1");

  /** Kinds of keys that certificates of servers have. */
  public enum Algorithm {
    EC,
    RSA
  }

  /** Whether a suite older than TLS 1.3 signs with such a key. */
  boolean fits(String suite) {
    return switch (algorithm) {
      case EC -> suite.contains("_ECDSA_");
      case RSA -> suite.contains("_RSA_");
    };
  }
}
