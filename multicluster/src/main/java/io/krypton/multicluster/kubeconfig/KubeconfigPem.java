package io.krypton.multicluster.kubeconfig;

import io.krypton.multicluster.kubeconfig.ClusterCredentials.ClientIdentity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Certificates and keys from PEM text and back, with the JDK's own providers. */
final class KubeconfigPem {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  private KubeconfigPem() {}

  static List<X509Certificate> certificates(byte[] pem, String field) throws KubeconfigException {
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
      throw new KubeconfigException(
          field + " holds no readable certificate; store the base64 of a PEM certificate");
    }
    return certificates;
  }

  static ClientIdentity identity(byte[] certificate, byte[] key) throws KubeconfigException {
    var identity =
        new ClientIdentity(
            certificates(certificate, "client-certificate-data"), PrivateKeys.read(key));
    if (!isKeyPair(identity.key(), identity.certificate().getPublicKey())) {
      throw new KubeconfigException(
          "client-key-data is not the key of client-certificate-data; store both of the same pair");
    }
    return identity;
  }

  static String encode(String type, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, LINES.encodeToString(der), type);
  }

  private static boolean isKeyPair(PrivateKey key, PublicKey certified) {
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

  /**
   * Private keys from PEM: PKCS#8, PKCS#1 (kubeadm, kind) and SEC1 (k3s). The JDK reads only
   * PKCS#8, so the two older forms are wrapped into it.
   */
  static final class PrivateKeys {
    private static final Pattern BLOCK =
        Pattern.compile("-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----([^-]+)-----END \\1-----");

    private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
    private static final byte[] RSA_ENCRYPTION = {
      0x30, 0x0d, 0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 5, 0
    };
    private static final byte[] EC_PUBLIC_KEY = {
      0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01
    };
    private static final int SEQUENCE = 0x30;
    private static final int OCTET_STRING = 0x04;
    private static final int CURVE = 0xa0;

    private PrivateKeys() {}

    static PrivateKey read(byte[] pem) throws KubeconfigException {
      var block = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
      if (!block.find()) {
        throw unreadable("holds no PEM private key");
      }
      try {
        var der = Base64.getMimeDecoder().decode(block.group(2));
        return switch (block.group(1)) {
          case "PRIVATE KEY" -> decode(der, List.of("RSA", "EC", "EdDSA"));
          case "RSA PRIVATE KEY" -> decode(pkcs8(RSA_ENCRYPTION, der), List.of("RSA"));
          case "EC PRIVATE KEY" ->
              decode(pkcs8(tlv(SEQUENCE, EC_PUBLIC_KEY, curveOf(der)), der), List.of("EC"));
          default -> throw unreadable("is encrypted or of an unknown kind");
        };
      } catch (RuntimeException e) {
        // Base64 and DER that end too early surface as unchecked exceptions.
        throw unreadable("is not readable");
      }
    }

    private static PrivateKey decode(byte[] pkcs8, List<String> algorithms)
        throws KubeconfigException {
      for (var algorithm : algorithms) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (GeneralSecurityException e) {
          // PKCS#8 does not say its algorithm outside of itself: the next one is tried.
        }
      }
      throw unreadable("is not readable");
    }

    private static KubeconfigException unreadable(String how) {
      return new KubeconfigException(
          "client-key-data " + how + "; store the base64 of an unencrypted PEM key");
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
      return tlv(SEQUENCE, VERSION_0, algorithm, tlv(OCTET_STRING, key));
    }

    /** SEC1 carries the curve as optional field 0; PKCS#8 wants it beside the algorithm. */
    private static byte[] curveOf(byte[] sec1) {
      int at = contentOf(sec1, 0);
      while ((sec1[at] & 0xff) != CURVE) {
        at = contentOf(sec1, at) + lengthOf(sec1, at);
      }
      int start = contentOf(sec1, at);
      return Arrays.copyOfRange(sec1, start, start + lengthOf(sec1, at));
    }

    private static int contentOf(byte[] der, int at) {
      int first = der[at + 1] & 0xff;
      return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
    }

    private static int lengthOf(byte[] der, int at) {
      int first = der[at + 1] & 0xff;
      if (first < 0x80) {
        return first;
      }
      int length = 0;
      for (int i = 0; i < (first & 0x7f); i++) {
        length = Math.addExact(Math.multiplyExact(length, 256), der[at + 2 + i] & 0xff);
      }
      return length;
    }

    private static byte[] tlv(int tag, byte[]... parts) {
      var content = new ByteArrayOutputStream();
      for (var part : parts) {
        content.writeBytes(part);
      }
      var encoded = new ByteArrayOutputStream();
      encoded.write(tag);
      int length = content.size();
      if (length < 0x80) {
        encoded.write(length);
      } else {
        encoded.write(0x82);
        encoded.write(length >> 8);
        encoded.write(length);
      }
      encoded.writeBytes(content.toByteArray());
      return encoded.toByteArray();
    }
  }
}
