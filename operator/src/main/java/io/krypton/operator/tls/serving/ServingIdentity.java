// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.base.crypto.Pem;
import io.krypton.base.crypto.PemException;
import io.krypton.base.crypto.PrivateKeys;
import io.krypton.operator.tls.profile.TlsProfileCompiler.ServingKey;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A server's certificate with its issuers and its key; the key never appears in a text. */
record ServingIdentity(List<X509Certificate> chain, PrivateKey key, ServingKey kind) {
  static final String CERTIFICATE_FILE = "tls.crt";
  static final String KEY_FILE = "tls.key";

  private static final List<String> CURVES = List.of("secp256r1", "secp384r1", "secp521r1");

  ServingIdentity {
    chain = List.copyOf(chain);
  }

  /** Checks everything that would otherwise show as a failed handshake. */
  static ServingIdentity of(byte[] certificatePem, byte[] keyPem, Instant now)
      throws InvalidTlsInputException {
    var chain = certificates(certificatePem);
    var leaf = chain.getFirst();
    var kind = kindOf(leaf.getPublicKey());
    var key = privateKey(keyPem, leaf.getPublicKey());
    if (!PrivateKeys.belongTogether(key, leaf.getPublicKey())) {
      throw new InvalidTlsInputException(
          "key-mismatch", KEY_FILE + " is not the key of the certificate in " + CERTIFICATE_FILE);
    }
    if (now.isAfter(leaf.getNotAfter().toInstant())) {
      throw new InvalidTlsInputException(
          "expired",
          "the certificate in %s expired at %s"
              .formatted(CERTIFICATE_FILE, leaf.getNotAfter().toInstant()));
    }
    if (now.isBefore(leaf.getNotBefore().toInstant())) {
      throw new InvalidTlsInputException(
          "not-yet-valid",
          "the certificate in %s is valid from %s only"
              .formatted(CERTIFICATE_FILE, leaf.getNotBefore().toInstant()));
    }
    return new ServingIdentity(linked(chain), key, kind);
  }

  /** The certificate and its issuers, as far as each is issued by the next; JSSE takes no other. */
  private static List<X509Certificate> linked(List<X509Certificate> chain) {
    var linked = new ArrayList<X509Certificate>();
    for (var certificate : chain) {
      if (!linked.isEmpty()
          && (linked.contains(certificate)
              || !linked
                  .getLast()
                  .getIssuerX500Principal()
                  .equals(certificate.getSubjectX500Principal()))) {
        break;
      }
      linked.add(certificate);
    }
    return linked;
  }

  Instant notAfter() {
    return chain.getFirst().getNotAfter().toInstant();
  }

  private static ServingKey kindOf(PublicKey key) throws InvalidTlsInputException {
    return switch (key) {
      case RSAPublicKey rsa -> ServingKey.RSA;
      case ECPublicKey ec -> new ServingKey(ServingKey.Algorithm.EC, curveOf(ec.getParams()));
      default ->
          throw new InvalidTlsInputException(
              "malformed",
              "%s has a key of type %s; use EC or RSA"
                  .formatted(CERTIFICATE_FILE, key.getAlgorithm()));
    };
  }

  private static String curveOf(ECParameterSpec parameters) throws InvalidTlsInputException {
    try {
      for (var name : CURVES) {
        var curve = AlgorithmParameters.getInstance("EC");
        curve.init(new ECGenParameterSpec(name));
        var known = curve.getParameterSpec(ECParameterSpec.class);
        if (known.getCurve().equals(parameters.getCurve())) {
          return name;
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM lacks a NIST curve", e);
    }
    throw new InvalidTlsInputException(
        "malformed",
        CERTIFICATE_FILE + " has a key on an unknown curve; use P-256, P-384 or P-521");
  }

  private static List<X509Certificate> certificates(byte[] pem) throws InvalidTlsInputException {
    try {
      return Pem.certificates(pem);
    } catch (PemException unusable) {
      throw InvalidTlsInputException.of(CERTIFICATE_FILE, unusable);
    }
  }

  private static PrivateKey privateKey(byte[] pem, PublicKey owner)
      throws InvalidTlsInputException {
    try {
      return PrivateKeys.read(pem, owner);
    } catch (PemException unusable) {
      throw InvalidTlsInputException.of(KEY_FILE, unusable);
    }
  }

  @Override
  public String toString() {
    return "ServingIdentity[%s]".formatted(chain.getFirst().getSubjectX500Principal().getName());
  }
}
