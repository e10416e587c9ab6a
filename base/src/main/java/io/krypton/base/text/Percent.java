// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Optional;
import java.util.OptionalInt;

/** Percent encoding ({@code %20}) of the UTF-8 bytes of a text. */
public final class Percent {
  /** Marks that need no encoding where neither space nor line break may appear. */
  public static final String ID_MARKS = "-._~:/@+,=";

  private Percent() {}

  /**
   * Encodes all bytes but ASCII letters, digits and the given marks.
   *
   * @param plainMarks without {@code %}, else the result is not decodable
   */
  public static String encode(String text, String plainMarks) {
    var encoded = new StringBuilder(text.length());
    for (byte b : text.getBytes(UTF_8)) {
      char c = (char) (b & 0xff);
      if (isAlphanumeric(c) || plainMarks.indexOf(c) >= 0) {
        encoded.append(c);
      } else {
        encoded.append("%%%02X".formatted((int) c));
      }
    }
    return encoded.toString();
  }

  /** Empty if an escape is cut off or malformed, or if the bytes are not UTF-8. */
  public static Optional<String> decode(String text) {
    try {
      var bytes = new ByteArrayOutputStream(text.length());
      int at = 0;
      while (at < text.length()) {
        if (text.charAt(at) == '%') {
          var escaped = byteAt(text, at);
          if (escaped.isEmpty()) {
            return Optional.empty();
          }
          bytes.write(escaped.getAsInt());
          at += 3;
        } else {
          // Whole runs, because a character beyond the BMP is two chars and four bytes.
          int end = text.indexOf('%', at);
          end = end < 0 ? text.length() : end;
          bytes.writeBytes(utf8(text.substring(at, end)));
          at = end;
        }
      }
      return Optional.of(
          UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString());
    } catch (CharacterCodingException notText) {
      return Optional.empty();
    }
  }

  /** The byte that the escape at this place stands for; empty if there is no such escape. */
  public static OptionalInt byteAt(String text, int at) {
    if (at + 2 >= text.length() || text.charAt(at) != '%') {
      return OptionalInt.empty();
    }
    int high = hexDigit(text.charAt(at + 1));
    int low = hexDigit(text.charAt(at + 2));
    return high < 0 || low < 0 ? OptionalInt.empty() : OptionalInt.of(high << 4 | low);
  }

  private static byte[] utf8(String text) throws CharacterCodingException {
    var encoded = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
    var bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }

  private static int hexDigit(char c) {
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
