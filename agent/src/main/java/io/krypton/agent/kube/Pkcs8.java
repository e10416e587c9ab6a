package io.krypton.agent.kube;

import java.io.ByteArrayOutputStream;
import java.security.PublicKey;
import java.util.Arrays;

/**
 * Wraps the older private key forms into PKCS#8, the only one that the JDK reads.
 *
 * <p>PKCS#8 is {@code SEQUENCE { INTEGER 0, algorithm identifier, OCTET STRING key }}. For EC the
 * algorithm identifier is the one in the certificate's own public key: it names the curve, which
 * SEC1 may omit.
 */
final class Pkcs8 {
  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final byte[] VERSION_0 = {0x02, 0x01, 0x00};
  private static final byte[] RSA_ENCRYPTION = {
    0x30,
    0x0d,
    0x06,
    0x09,
    0x2a,
    (byte) 0x86,
    0x48,
    (byte) 0x86,
    (byte) 0xf7,
    0x0d,
    0x01,
    0x01,
    0x01,
    0x05,
    0x00
  };

  private Pkcs8() {}

  static byte[] fromPkcs1(byte[] rsaPrivateKey) {
    return wrap(RSA_ENCRYPTION, rsaPrivateKey);
  }

  static byte[] fromSec1(byte[] ecPrivateKey, PublicKey owner) {
    return wrap(algorithmIdentifier(owner.getEncoded()), ecPrivateKey);
  }

  /** The first element of {@code SubjectPublicKeyInfo ::= SEQUENCE { algorithm, key }}. */
  private static byte[] algorithmIdentifier(byte[] subjectPublicKeyInfo) {
    int start = headerLength(subjectPublicKeyInfo, 0);
    int end = start + headerLength(subjectPublicKeyInfo, start);
    end += contentLength(subjectPublicKeyInfo, start);
    return Arrays.copyOfRange(subjectPublicKeyInfo, start, end);
  }

  private static int headerLength(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    return first < 0x80 ? 2 : 2 + (first & 0x7f);
  }

  private static int contentLength(byte[] der, int at) {
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    return length;
  }

  private static byte[] wrap(byte[] algorithm, byte[] key) {
    var content = new ByteArrayOutputStream();
    content.writeBytes(VERSION_0);
    content.writeBytes(algorithm);
    content.writeBytes(element(OCTET_STRING, key));
    return element(SEQUENCE, content.toByteArray());
  }

  private static byte[] element(int tag, byte[] content) {
    var der = new ByteArrayOutputStream();
    der.write(tag);
    if (content.length < 0x80) {
      der.write(content.length);
    } else {
      var length = significantBytes(content.length);
      der.write(0x80 | length.length);
      der.writeBytes(length);
    }
    der.writeBytes(content);
    return der.toByteArray();
  }

  private static byte[] significantBytes(int value) {
    int count = (39 - Integer.numberOfLeadingZeros(value)) / 8;
    var bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (value >>> (8 * (count - 1 - i)));
    }
    return bytes;
  }
}
