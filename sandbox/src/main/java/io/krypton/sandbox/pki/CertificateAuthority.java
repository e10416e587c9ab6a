// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.pki;

import io.krypton.base.crypto.Pem;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Signs the certificates of one control plane: its servers and its users. */
public final class CertificateAuthority {
  private static final Duration CLOCK_SKEW = Duration.ofHours(1);
  private static final Duration LIFETIME = Duration.ofDays(30);

  private final X500Name name;
  private final KeyPair keys;
  private final X509Certificate certificate;
  private @Nullable KeyPair userKeys;

  private CertificateAuthority(X500Name name, KeyPair keys) {
    this.name = name;
    this.keys = keys;
    this.certificate = signOwn();
  }

  public static CertificateAuthority named(String commonName) {
    return new CertificateAuthority(
        new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build(), ecKeys());
  }

  public X509Certificate certificate() {
    return certificate;
  }

  public String certificatePem() {
    return Pem.encode(certificate);
  }

  /** A user as Kubernetes reads it from a client certificate: common name and organizations. */
  public IssuedIdentity user(String user, List<String> groups) {
    return user(user, groups, LIFETIME);
  }

  /** As {@link #user}, with a certificate that ends after this time. */
  public IssuedIdentity user(String user, List<String> groups, Duration lifetime) {
    return client(user, groups, userKeys(), lifetime);
  }

  /** As {@link #user}, but quicker, for clients that are known to understand elliptic keys. */
  public IssuedIdentity component(String user, List<String> groups) {
    return client(user, groups, ecKeys(), LIFETIME);
  }

  /** A server on this machine, reached by loopback address or by one of the DNS names. */
  public IssuedIdentity server(String commonName, List<String> dnsNames) {
    var pair = ecKeys();
    var subject = new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, commonName).build();
    var request = request(subject, pair.getPublic(), LIFETIME);
    try {
      request.addExtension(Extension.subjectAlternativeName, false, loopbackAnd(dnsNames));
    } catch (IOException e) {
      throw new IllegalStateException("cannot encode the names " + dnsNames, e);
    }
    return new IssuedIdentity(
        sign(usage(request, KeyPurposeId.id_kp_serverAuth)), pair.getPrivate());
  }

  /** An elliptic key pair that no certificate names, for the signature of tokens. */
  public static KeyPair signingKeys() {
    return ecKeys();
  }

  private IssuedIdentity client(String user, List<String> groups, KeyPair pair, Duration lifetime) {
    var subject = new X500NameBuilder(BCStyle.INSTANCE);
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, user);
    var request = request(subject.build(), pair.getPublic(), lifetime);
    return new IssuedIdentity(
        sign(usage(request, KeyPurposeId.id_kp_clientAuth)), pair.getPrivate());
  }

  /**
   * RSA, because several Kubernetes clients take a PKCS#8 key for RSA without looking. Such a key
   * costs some tenths of a second, so it is made when it is needed, and all users of a control
   * plane share it.
   */
  private synchronized KeyPair userKeys() {
    if (userKeys == null) {
      userKeys = rsaKeys();
    }
    return userKeys;
  }

  private X509Certificate signOwn() {
    var request = request(name, keys.getPublic(), LIFETIME);
    try {
      request.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      request.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    } catch (IOException e) {
      throw new IllegalStateException("cannot encode the authority's own certificate", e);
    }
    return sign(request);
  }

  private X509v3CertificateBuilder request(X500Name subject, PublicKey key, Duration lifetime) {
    var now = Instant.now();
    return new JcaX509v3CertificateBuilder(
        name,
        new BigInteger(127, new SecureRandom()).setBit(126),
        Date.from(now.minus(CLOCK_SKEW)),
        Date.from(now.plus(lifetime)),
        subject,
        key);
  }

  private static X509v3CertificateBuilder usage(
      X509v3CertificateBuilder request, KeyPurposeId purpose) {
    try {
      return request
          .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
          .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
    } catch (IOException e) {
      throw new IllegalStateException("cannot encode the usage of a certificate", e);
    }
  }

  private static GeneralNames loopbackAnd(List<String> dnsNames) {
    var names = new ArrayList<GeneralName>();
    names.add(new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
    names.add(new GeneralName(GeneralName.dNSName, "localhost"));
    dnsNames.forEach(dns -> names.add(new GeneralName(GeneralName.dNSName, dns)));
    return new GeneralNames(names.toArray(GeneralName[]::new));
  }

  private X509Certificate sign(X509v3CertificateBuilder request) {
    try {
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      return new JcaX509CertificateConverter().getCertificate(request.build(signer));
    } catch (OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign a certificate", e);
    }
  }

  private static KeyPair ecKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK makes no P-256 keys", e);
    }
  }

  private static KeyPair rsaKeys() {
    try {
      var generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK makes no RSA keys", e);
    }
  }

  /** A certificate and its private key; the key never appears in {@link #toString()}. */
  public record IssuedIdentity(X509Certificate certificate, PrivateKey key) {

    public String certificatePem() {
      return Pem.encode(certificate);
    }

    public String keyPem() {
      return Pem.encode(key);
    }

    @Override
    public String toString() {
      return "Identity[" + certificate.getSubjectX500Principal().getName() + "]";
    }
  }
}
