package io.krypton.agent.report;

import java.nio.charset.StandardCharsets;

/** Percent-encodes a remote key id, so that it has no space and no line break. */
final class KeyIdEncoding {
  private static final String PLAIN_MARKS = "-._~:/@+,=";

  private KeyIdEncoding() {}

  static String encode(String text) {
    var encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (isPlain(c)) {
        encoded.append(c);
      } else {
        encoded.append("%%%02X".formatted((int) c));
      }
    }
    return encoded.toString();
  }

  private static boolean isPlain(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || PLAIN_MARKS.indexOf(c) >= 0;
  }
}
