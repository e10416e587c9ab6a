// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.crypto;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.HexFormat;

/** The few elements of DER that private keys and certificates are made of. */
public final class Der {
  private static final int CONTEXT = 0xa0;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  public static byte[] sequence(byte[]... parts) {
    return element(0x30, joined(parts));
  }

  public static byte[] set(byte[]... parts) {
    return element(0x31, joined(parts));
  }

  public static byte[] integer(BigInteger value) {
    return element(0x02, value.toByteArray());
  }

  public static byte[] octets(byte[] content) {
    return element(0x04, content);
  }

  /** A bit string of whole bytes. */
  public static byte[] bits(byte[] content) {
    return element(0x03, joined(new byte[] {0}, content));
  }

  public static byte[] text(String content) {
    return element(0x0c, content.getBytes(StandardCharsets.UTF_8));
  }

  public static byte[] time(Instant instant) {
    return element(0x18, TIME.format(instant).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier, by the hex of its encoded arcs. */
  public static byte[] oid(String hex) {
    return element(0x06, HexFormat.of().parseHex(hex));
  }

  public static byte[] none() {
    return element(0x05, new byte[0]);
  }

  /** An explicitly tagged element. */
  public static byte[] tagged(int number, byte[] element) {
    return element(CONTEXT | number, element);
  }

  /** An implicitly tagged primitive. */
  public static byte[] implicit(int number, byte[] content) {
    return element(0x80 | number, content);
  }

  /**
   * The first element within the outermost one.
   *
   * @throws IllegalArgumentException if the bytes are not DER
   */
  public static byte[] firstWithin(byte[] der) {
    int start = contentStart(der, 0);
    return slice(der, start, contentEnd(der, start));
  }

  /**
   * What an explicitly tagged element right within the outermost one holds; empty if there is none.
   *
   * @throws IllegalArgumentException if the bytes are not DER
   */
  public static byte[] taggedWithin(byte[] der, int number) {
    int end = contentEnd(der, 0);
    for (int at = contentStart(der, 0); at < end; at = contentEnd(der, at)) {
      if (byteAt(der, at) == (CONTEXT | number)) {
        return slice(der, contentStart(der, at), contentEnd(der, at));
      }
    }
    return new byte[0];
  }

  private static int contentStart(byte[] der, int at) {
    int first = byteAt(der, at + 1);
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int contentEnd(byte[] der, int at) {
    int first = byteAt(der, at + 1);
    int start = contentStart(der, at);
    if (first < 0x80) {
      return start + first;
    }
    var length = new BigInteger(1, slice(der, at + 2, start));
    if (length.bitLength() > 24) {
      throw new IllegalArgumentException("not DER: a length that no key has");
    }
    return start + length.intValueExact();
  }

  private static int byteAt(byte[] der, int at) {
    if (at >= der.length) {
      throw new IllegalArgumentException("not DER: it ends too early");
    }
    return der[at] & 0xff;
  }

  private static byte[] slice(byte[] der, int from, int to) {
    if (from > to || to > der.length) {
      throw new IllegalArgumentException("not DER: it ends too early");
    }
    return Arrays.copyOfRange(der, from, to);
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
