// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.krypton.base.crypto.PemException.Problem;
import java.io.ByteArrayInputStream;
import java.security.Key;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/** PEM text: its blocks, the certificates in it, and back. Text between blocks is ignored. */
public final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]++)-----([^-]*+)-----END \\1-----");
  private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

  private Pem() {}

  /** One block, decoded. It may be a private key, so it never shows its content. */
  public static final class Block {
    private final String label;
    private final byte[] der;

    private Block(String label, byte[] der) {
      this.label = label;
      this.der = der;
    }

    public String label() {
      return label;
    }

    public byte[] der() {
      return der.clone();
    }

    @Override
    public String toString() {
      return label;
    }
  }

  /** All blocks in their order; empty if there is none. */
  public static List<Block> blocks(String pem) throws PemException {
    var blocks = new ArrayList<Block>();
    var found = BLOCK.matcher(pem);
    while (found.find()) {
      try {
        var base64 = found.group(2).replaceAll("\\s", "");
        blocks.add(new Block(found.group(1), Base64.getDecoder().decode(base64)));
      } catch (IllegalArgumentException notBase64) {
        throw new PemException(Problem.NOT_BASE64);
      }
    }
    return List.copyOf(blocks);
  }

  public static List<Block> blocks(byte[] pem) throws PemException {
    return blocks(new String(pem, ISO_8859_1));
  }

  /** All certificates in their order, at least one. */
  public static List<X509Certificate> certificates(String pem) throws PemException {
    var certificates = new ArrayList<X509Certificate>();
    for (var block : blocks(pem)) {
      if (block.label().equals("CERTIFICATE")) {
        certificates.add(certificate(block));
      }
    }
    if (certificates.isEmpty()) {
      throw new PemException(Problem.NO_CERTIFICATE);
    }
    return List.copyOf(certificates);
  }

  public static List<X509Certificate> certificates(byte[] pem) throws PemException {
    return certificates(new String(pem, ISO_8859_1));
  }

  private static X509Certificate certificate(Block block) throws PemException {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(block.der));
    } catch (CertificateException | RuntimeException unreadable) {
      // The certificate parser lets some unchecked exceptions of its DER reader through.
      throw new PemException(Problem.UNREADABLE_CERTIFICATE);
    }
  }

  public static String encode(X509Certificate certificate) {
    try {
      return encode("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalArgumentException("a certificate that cannot be encoded", e);
    }
  }

  /** PKCS#8 or SubjectPublicKeyInfo. */
  public static String encode(Key key) {
    return encode(key instanceof PrivateKey ? "PRIVATE KEY" : "PUBLIC KEY", key.getEncoded());
  }

  /** One block with lines of 64 characters. */
  public static String encode(String label, byte[] der) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, LINES.encodeToString(der), label);
  }
}
