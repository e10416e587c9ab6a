package io.krypton.multicluster.cluster.kubeconfig;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys from PEM text and back, with the JDK's own providers. */
final class Pem {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private Pem() {}

  static List<X509Certificate> certificates(byte[] pem, String field) throws KubeconfigProblem {
    var certificates = new ArrayList<X509Certificate>();
    try {
      var factory = CertificateFactory.getInstance("X.509");
      for (var certificate : factory.generateCertificates(new ByteArrayInputStream(pem))) {
        if (certificate instanceof X509Certificate x509) {
          certificates.add(x509);
        }
      }
    } catch (GeneralSecurityException | RuntimeException e) {
      // The certificate parser lets some unchecked exceptions of its DER reader through.
      certificates.clear();
    }
    if (certificates.isEmpty()) {
      throw new KubeconfigProblem(
          field + " holds no readable certificate; store the base64 of a PEM certificate");
    }
    return certificates;
  }

  static ClientIdentity identity(byte[] certificate, byte[] key) throws KubeconfigProblem {
    var identity =
        new ClientIdentity(
            certificates(certificate, "client-certificate-data"), PrivateKeys.read(key));
    if (!belongTogether(identity.key(), identity.certificate().getPublicKey())) {
      throw new KubeconfigProblem(
          "client-key-data is not the key of client-certificate-data; store both of the same pair");
    }
    return identity;
  }

  static String encode(String type, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, LINES.encodeToString(der), type);
  }

  private static boolean belongTogether(PrivateKey key, PublicKey certified) {
    var algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> "EdDSA";
        };
    try {
      var challenge = "challenge".getBytes(StandardCharsets.US_ASCII);
      var signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(challenge);
      var signature = signer.sign();
      var verifier = Signature.getInstance(algorithm);
      verifier.initVerify(certified);
      verifier.update(challenge);
      return verifier.verify(signature);
    } catch (GeneralSecurityException | RuntimeException e) {
      // Keys of different kinds, or a curve the JDK does not know: they cannot work together.
      return false;
    }
  }
}
