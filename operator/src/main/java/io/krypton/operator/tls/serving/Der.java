package io.krypton.operator.tls.serving;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;

/** The few elements of DER that a private key and a certificate of our own are made of. */
final class Der {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return element(0x30, joined(parts));
  }

  static byte[] set(byte[]... parts) {
    return element(0x31, joined(parts));
  }

  static byte[] integer(BigInteger value) {
    return element(0x02, value.toByteArray());
  }

  static byte[] octets(byte[] content) {
    return element(0x04, content);
  }

  /** A bit string of whole bytes. */
  static byte[] bits(byte[] content) {
    return element(0x03, joined(new byte[] {0}, content));
  }

  static byte[] text(String content) {
    return element(0x0c, content.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant instant) {
    return element(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier, by the hex of its encoded arcs. */
  static byte[] oid(String hex) {
    return element(0x06, HexFormat.of().parseHex(hex));
  }

  static byte[] none() {
    return element(0x05, new byte[0]);
  }

  /** An explicitly tagged element. */
  static byte[] tagged(int number, byte[] element) {
    return element(0xa0 | number, element);
  }

  /** An implicitly tagged primitive. */
  static byte[] implicit(int number, byte[] content) {
    return element(0x80 | number, content);
  }

  /** The first element within the outermost one. */
  static byte[] firstWithin(byte[] der) {
    var start = headerLength(der, 0);
    return Arrays.copyOfRange(der, start, start + headerLength(der, start) + length(der, start));
  }

  private static int headerLength(byte[] der, int at) {
    var first = der[at + 1] & 0xff;
    return first < 0x80 ? 2 : 2 + (first & 0x7f);
  }

  private static int length(byte[] der, int at) {
    var header = headerLength(der, at);
    return header == 2
        ? der[at + 1]
        : new BigInteger(1, Arrays.copyOfRange(der, at + 2, at + header)).intValueExact();
  }

  private static byte[] element(int tag, byte[] content) {
    var der = new ByteArrayOutputStream();
    der.write(tag);
    if (content.length < 0x80) {
      der.write(content.length);
    } else {
      var length = HexFormat.of().parseHex(evenHex(content.length));
      der.write(0x80 | length.length);
      der.writeBytes(length);
    }
    der.writeBytes(content);
    return der.toByteArray();
  }

  private static String evenHex(int value) {
    var hex = Integer.toHexString(value);
    return hex.length() % 2 == 0 ? hex : "0" + hex;
  }

  private static byte[] joined(byte[]... parts) {
    var all = new ByteArrayOutputStream();
    for (var part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
