// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import io.krypton.base.crypto.PemException.Problem;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Private keys from PEM: PKCS#8, PKCS#1 (RSA; kubeadm, kind) and SEC1 (EC; k3s). The JDK reads only
 * PKCS#8, so the older forms are wrapped into it: {@code SEQUENCE { INTEGER 0, algorithm
 * identifier, OCTET STRING key }}.
 */
public final class PrivateKeys {
  private static final byte[] RSA = Der.sequence(Der.oid("2a864886f70d010101"), Der.none());
  private static final byte[] EC_PUBLIC_KEY = Der.oid("2a8648ce3d0201");
  private static final int SEC1_CURVE = 0;
  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");

  private PrivateKeys() {}

  /** The first private key in the text, whatever its algorithm. */
  public static PrivateKey read(String pem) throws PemException {
    return first(pem, null);
  }

  public static PrivateKey read(byte[] pem) throws PemException {
    return read(new String(pem, ISO_8859_1));
  }

  /**
   * The first private key in the text, which must be of the algorithm of a certificate.
   *
   * @param owner the key of that certificate; it names the curve, which SEC1 may leave out
   */
  public static PrivateKey read(String pem, PublicKey owner) throws PemException {
    return first(pem, owner);
  }

  public static PrivateKey read(byte[] pem, PublicKey owner) throws PemException {
    return read(new String(pem, ISO_8859_1), owner);
  }

  /** Whether what the one signs is verified by the other. */
  public static boolean belongTogether(PrivateKey key, PublicKey certified) {
    var algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    try {
      var challenge = "challenge".getBytes(US_ASCII);
      var signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(challenge);
      var verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certified);
      verifier.update(challenge);
      return verifier.verify(signer.sign());
    } catch (GeneralSecurityException | RuntimeException e) {
      // Keys of different kinds, or a curve that the JDK does not know: they cannot work together.
      return false;
    }
  }

  private static PrivateKey first(String pem, @Nullable PublicKey owner) throws PemException {
    for (var block : Pem.blocks(pem)) {
      switch (block.label()) {
        case "PRIVATE KEY" -> {
          return decode(block.der(), owner, ALGORITHMS);
        }
        case "RSA PRIVATE KEY" -> {
          return decode(pkcs8(RSA, block.der()), owner, List.of("RSA"));
        }
        case "EC PRIVATE KEY" -> {
          return decode(pkcs8(ecAlgorithm(block.der(), owner), block.der()), owner, List.of("EC"));
        }
        case "ENCRYPTED PRIVATE KEY" -> throw new PemException(Problem.ENCRYPTED_PRIVATE_KEY);
        default -> {} // Certificates and EC parameters often are in the same file.
      }
    }
    throw new PemException(Problem.NO_PRIVATE_KEY);
  }

  private static byte[] ecAlgorithm(byte[] sec1, @Nullable PublicKey owner) throws PemException {
    try {
      var curve = Der.taggedWithin(sec1, SEC1_CURVE);
      if (curve.length > 0) {
        return Der.sequence(EC_PUBLIC_KEY, curve);
      }
      if (owner != null) {
        return Der.firstWithin(owner.getEncoded());
      }
    } catch (IllegalArgumentException notDer) {
      throw unreadable(owner);
    }
    throw unreadable(owner);
  }

  private static PrivateKey decode(byte[] pkcs8, @Nullable PublicKey owner, List<String> algorithms)
      throws PemException {
    // PKCS#8 does not say its algorithm outside of itself, so that each one is tried.
    for (var algorithm : owner == null ? algorithms : List.of(owner.getAlgorithm())) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
      } catch (GeneralSecurityException | RuntimeException next) {
        // Told below if there is no other.
      }
    }
    throw unreadable(owner);
  }

  private static PemException unreadable(@Nullable PublicKey owner) {
    return owner == null
        ? new PemException(Problem.UNREADABLE_PRIVATE_KEY)
        : new PemException(
            Problem.OTHER_ALGORITHM,
            "is not a readable %s key, as its certificate asks for"
                .formatted(owner.getAlgorithm()));
  }

  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return Der.sequence(Der.integer(BigInteger.ZERO), algorithm, Der.octets(key));
  }
}
