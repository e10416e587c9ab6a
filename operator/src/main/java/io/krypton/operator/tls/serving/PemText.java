package io.krypton.operator.tls.serving;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
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

/** Certificates and a private key in PEM. */
final class PemText {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");
  private static final byte[] RSA = Der.sequence(Der.oid("2a864886f70d010101"), Der.none());

  private final String file;
  private final List<Block> blocks;

  private static final class Block {
    private final String label;
    private final byte[] der;

    Block(String label, byte[] der) {
      this.label = label;
      this.der = der;
    }
  }

  private PemText(String file, List<Block> blocks) {
    this.file = file;
    this.blocks = blocks;
  }

  static PemText read(String file, byte[] content) throws InvalidTlsInputException {
    var blocks = new ArrayList<Block>();
    var found = BLOCK.matcher(new String(content, StandardCharsets.ISO_8859_1));
    while (found.find()) {
      try {
        blocks.add(new Block(found.group(1), Base64.getMimeDecoder().decode(found.group(2))));
      } catch (IllegalArgumentException notBase64) {
        throw new InvalidTlsInputException(
            "malformed", file + " holds a PEM block that is not base64");
      }
    }
    return new PemText(file, blocks);
  }

  /** All of them, the server's own first. */
  List<X509Certificate> certificates() throws InvalidTlsInputException {
    var chain = new ArrayList<X509Certificate>();
    for (var block : blocks) {
      if (block.label.equals("CERTIFICATE")) {
        chain.add(certificate(block));
      }
    }
    if (chain.isEmpty()) {
      throw new InvalidTlsInputException("malformed", file + " holds no PEM certificate");
    }
    return chain;
  }

  private X509Certificate certificate(Block block) throws InvalidTlsInputException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.der));
    } catch (CertificateException unreadable) {
      throw new InvalidTlsInputException(
          "malformed", file + " holds a certificate that cannot be read");
    }
  }

  /**
   * The first private key, in PKCS#8 or in the older forms, which the JDK reads only when wrapped.
   *
   * @param owner the key of the certificate; it names the curve, which SEC1 may leave out
   */
  PrivateKey privateKey(PublicKey owner) throws InvalidTlsInputException {
    for (var block : blocks) {
      switch (block.label) {
        case "PRIVATE KEY" -> {
          return decoded(block.der, owner);
        }
        case "RSA PRIVATE KEY" -> {
          return decoded(pkcs8(RSA, block.der), owner);
        }
        case "EC PRIVATE KEY" -> {
          return decoded(pkcs8(Der.firstWithin(owner.getEncoded()), block.der), owner);
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new InvalidTlsInputException(
                "malformed", file + " is encrypted; use a key without a passphrase");
        default -> {} // Certificates and EC parameters often are in the same file.
      }
    }
    throw new InvalidTlsInputException("malformed", file + " holds no PEM private key");
  }

  private PrivateKey decoded(byte[] pkcs8, PublicKey owner) throws InvalidTlsInputException {
    try {
      return KeyFactory.getInstance(owner.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException unreadable) {
      throw new InvalidTlsInputException(
          "key-mismatch",
          "%s is not a readable %s key, as its certificate asks for"
              .formatted(file, owner.getAlgorithm()));
    }
  }

  private static byte[] pkcs8(byte[] algorithm, byte[] key) {
    return Der.sequence(Der.integer(BigInteger.ZERO), algorithm, Der.octets(key));
  }
}
