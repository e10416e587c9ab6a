package io.krypton.agent.kube;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** Reads certificates and private keys from PEM text; no message ever quotes it. */
final class PemReader {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]+)-----END \\1-----");

  private PemReader() {}

  private record Block(String label, String base64) {
    byte[] der(String where) throws UnusableCredentialsException {
      try {
        return Base64.getDecoder().decode(base64);
      } catch (IllegalArgumentException e) {
        throw new UnusableCredentialsException(where + " holds a PEM block that is not base64");
      }
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /** All certificates, at least one. */
  static List<X509Certificate> certificates(String where, String pem)
      throws UnusableCredentialsException {
    var found = new ArrayList<X509Certificate>();
    try {
      var factory = CertificateFactory.getInstance("X.509");
      for (var block : blocks(pem)) {
        if (block.label().equals("CERTIFICATE")) {
          found.add(
              (X509Certificate)
                  factory.generateCertificate(new ByteArrayInputStream(block.der(where))));
        }
      }
    } catch (CertificateException e) {
      throw new UnusableCredentialsException(where + " holds a certificate that cannot be read");
    }
    if (found.isEmpty()) {
      throw new UnusableCredentialsException(where + " holds no PEM certificate");
    }
    return found;
  }

  /**
   * The first private key: PKCS#8, or the older forms PKCS#1 (RSA) and SEC1 (EC).
   *
   * @param owner the key of the certificate it belongs to; SEC1 may leave the curve to it
   */
  static PrivateKey privateKey(String where, String pem, PublicKey owner)
      throws UnusableCredentialsException {
    for (var block : blocks(pem)) {
      var pkcs8 =
          switch (block.label()) {
            case "PRIVATE KEY" -> block.der(where);
            case "RSA PRIVATE KEY" -> Pkcs8.fromPkcs1(block.der(where));
            case "EC PRIVATE KEY" -> Pkcs8.fromSec1(block.der(where), owner);
            case "ENCRYPTED PRIVATE KEY" ->
                throw new UnusableCredentialsException(
                    where + " is encrypted: use a key without a passphrase");
            default -> null; // certificates, EC PARAMETERS: often in the same file
          };
      if (pkcs8 != null) {
        return decode(where, pkcs8, owner);
      }
    }
    throw new UnusableCredentialsException(where + " holds no PEM private key");
  }

  private static PrivateKey decode(String where, byte[] pkcs8, PublicKey owner)
      throws UnusableCredentialsException {
    try {
      return KeyFactory.getInstance(owner.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException e) {
      throw new UnusableCredentialsException(
          "%s is not a readable %s key, as its certificate asks for"
              .formatted(where, owner.getAlgorithm()));
    }
  }

  private static List<Block> blocks(String pem) {
    return BLOCK
        .matcher(pem)
        .results()
        .map(match -> new Block(match.group(1), match.group(2).replaceAll("\\s", "")))
        .toList();
  }
}
