package io.krypton.operator.kmshealth.report;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads a remote key id, in which all but a few characters are written as {@code %XX}. */
final class PercentDecoding {
  private static final int LONGEST = 1024;

  private PercentDecoding() {}

  /** Empty if there is no id, or none that a plugin could have. */
  static Optional<String> decode(String text) {
    var bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        if (i + 2 >= text.length() || !isHex(text.charAt(i + 1)) || !isHex(text.charAt(i + 2))) {
          return Optional.empty();
        }
        bytes.write(Integer.parseInt(text, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.size() == 0 || bytes.size() > LONGEST
        ? Optional.empty()
        : utf8(bytes.toByteArray());
  }

  private static boolean isHex(char c) {
    return Character.digit(c, 16) >= 0 && c < 128;
  }

  private static Optional<String> utf8(byte[] bytes) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException notText) {
      return Optional.empty();
    }
  }
}
