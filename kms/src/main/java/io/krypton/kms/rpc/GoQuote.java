// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** Go's way of quoting a string in messages, which are compared to the byte. */
public final class GoQuote {
  private GoQuote() {}

  /** For bytes held as one char each. */
  static String quote(String bytes) {
    return quote(bytes.getBytes(ISO_8859_1));
  }

  /** A Go string literal for bytes that need not be UTF-8. */
  public static String quote(byte[] bytes) {
    var out = new StringBuilder("\"");
    for (int i = 0; i < bytes.length; ) {
      int width = widthOfCharacterAt(bytes, i);
      if (width == 0) {
        out.append("\\x%02x".formatted(bytes[i] & 0xff));
        i++;
        continue;
      }
      appendEscaped(out, new String(bytes, i, width, UTF_8).codePointAt(0));
      i += width;
    }
    return out.append('"').toString();
  }

  private static int widthOfCharacterAt(byte[] bytes, int at) {
    int first = bytes[at] & 0xff;
    int width = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (at + width > bytes.length) {
      return 0;
    }
    var decoded = new String(bytes, at, width, UTF_8);
    boolean whole = decoded.codePointCount(0, decoded.length()) == 1;
    boolean replaced = decoded.equals("\ufffd") && !(width == 3 && first == 0xef);
    return whole && !replaced ? width : 0;
  }

  private static void appendEscaped(StringBuilder out, int c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case 7 -> out.append("\\a");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      case 11 -> out.append("\\v");
      default -> {
        if (isPrintable(c)) {
          out.appendCodePoint(c);
        } else if (c < ' ' || c == 0x7f) {
          out.append("\\x%02x".formatted(c));
        } else {
          out.append((c < 0x10000 ? "\\u%04x" : "\\U%08x").formatted(c));
        }
      }
    }
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.UNASSIGNED,
          Character.CONTROL,
          Character.FORMAT,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> c == ' ';
      default -> true;
    };
  }
}
