// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.base.crypto.Der;
import io.krypton.operator.tls.profile.TlsProfileCompiler.ServingKey;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A certificate of our own for the time until somebody provides one: it encrypts and proves
 * nothing. It lives in memory only. The JDK has no public builder of certificates, so it is encoded
 * here.
 */
final class SelfSignedCertificate {
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);

  /** Longer than any process lives: nobody checks it, and nothing would renew it. */
  private static final Duration LIFETIME = Duration.ofDays(3650);

  private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("2a8648ce3d040302"));
  private static final String COMMON_NAME = "550403";
  private static final String SUBJECT_ALTERNATIVE_NAME = "551d11";
  private static final int DNS_NAME = 2;
  private static final int VERSION_3 = 2;

  private SelfSignedCertificate() {}

  static ServingIdentity create(Instant now) {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      var keys = generator.generateKeyPair();
      return new ServingIdentity(
          List.of(certificate(keys, now)), keys.getPrivate(), ServingKey.P256);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM makes no P-256 certificates", e);
    }
  }

  private static X509Certificate certificate(KeyPair keys, Instant now)
      throws GeneralSecurityException {
    var content = content(keys, now);
    var signer = Signature.getInstance("SHA256withECDSA");
    signer.initSign(keys.getPrivate());
    signer.update(content);
    var der = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(signer.sign()));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
  }

  private static byte[] content(KeyPair keys, Instant now) {
    var name =
        Der.sequence(Der.set(Der.sequence(Der.oid(COMMON_NAME), Der.text("krypton-self-signed"))));
    var localhost =
        Der.sequence(Der.implicit(DNS_NAME, "localhost".getBytes(StandardCharsets.US_ASCII)));
    return Der.sequence(
        Der.tagged(0, Der.integer(BigInteger.valueOf(VERSION_3))),
        Der.integer(new BigInteger(127, new SecureRandom()).setBit(126)),
        ECDSA_WITH_SHA256,
        name,
        Der.sequence(Der.time(now.minus(CLOCK_SKEW)), Der.time(now.plus(LIFETIME))),
        name,
        keys.getPublic().getEncoded(),
        Der.tagged(
            3,
            Der.sequence(Der.sequence(Der.oid(SUBJECT_ALTERNATIVE_NAME), Der.octets(localhost)))));
  }
}
