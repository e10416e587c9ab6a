// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate that signs itself, with its key in any of the forms that files have. */
record TestIdentity(X509Certificate certificate, KeyPair keys) {
  static KeyPair keys(String kind) {
    try {
      if (kind.equals("RSA")) {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
      }
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec(kind));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(kind, e);
    }
  }

  static TestIdentity of(String name, KeyPair keys) {
    var now = Instant.now();
    return of(name, keys, now.minus(Duration.ofHours(1)), now.plus(Duration.ofHours(1)));
  }

  static TestIdentity of(String name, KeyPair keys, Instant notBefore, Instant notAfter) {
    try {
      var subject = new X500Name("CN=" + name);
      var algorithm =
          keys.getPublic().getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
      var holder =
          new JcaX509v3CertificateBuilder(
                  subject,
                  BigInteger.valueOf(System.nanoTime()),
                  Date.from(notBefore),
                  Date.from(notAfter),
                  subject,
                  keys.getPublic())
              .build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate()));
      return new TestIdentity(new JcaX509CertificateConverter().getCertificate(holder), keys);
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(name, e);
    }
  }

  byte[] certificatePem() {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  byte[] pkcs8() {
    return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
  }

  /** PKCS#1 or SEC1, as the key is. */
  byte[] olderForm() {
    try {
      var der =
          PrivateKeyInfo.getInstance(keys.getPrivate().getEncoded())
              .parsePrivateKey()
              .toASN1Primitive()
              .getEncoded();
      return pem(keys.getPublic().getAlgorithm() + " PRIVATE KEY", der);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] pem(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(der), label)
        .getBytes(StandardCharsets.US_ASCII);
  }

  String name() {
    return certificate.getSubjectX500Principal().getName();
  }
}
