package io.krypton.kms.encryption;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import org.yaml.snakeyaml.reader.StreamReader;

/** From bytes to the characters that YAML allows: UTF-8, or UTF-16 behind a byte order mark. */
final class YamlEncoding {
  private YamlEncoding() {}

  static String decode(byte[] bytes) throws Rejected {
    var text = decode(bytes, encodingOf(bytes));
    int line = 1;
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      if (!StreamReader.isPrintable(text.codePointAt(i))) {
        throw new Rejected("yaml: line %d: control characters are not allowed".formatted(line));
      }
      line += text.charAt(i) == '\n' ? 1 : 0;
    }
    return text;
  }

  private static Charset encodingOf(byte[] bytes) {
    int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    return switch (mark) {
      case 0xfffe -> UTF_16LE;
      case 0xfeff -> UTF_16BE;
      default -> UTF_8;
    };
  }

  private static String decode(byte[] bytes, Charset encoding) throws Rejected {
    try {
      return encoding.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new Rejected("yaml: the file is not valid " + encoding.name());
    }
  }
}
