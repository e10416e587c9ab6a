// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * The first document of the file. Duplicates are the repeated keys of YAML; those of JSON are still
 * in the value.
 */
public record Document(Value value, List<String> duplicates, boolean moreFollows) {

  /** JSON if the first visible character is a brace, otherwise YAML. */
  public static Document parse(byte[] bytes) throws InvalidConfigurationException {
    var text = new String(bytes, UTF_8);
    int start = 0;
    while (start < text.length() && isSpace(text.charAt(start))) {
      start++;
    }
    if (text.startsWith("{", start)) {
      return new Document(StrictJsonParser.parse(text), List.of(), false);
    }
    var yaml = YamlParser.parse(bytes);
    var converted = YamlValueConverter.convert(yaml.root());
    return new Document(converted.value(), converted.duplicates(), yaml.moreFollows());
  }

  private static boolean isSpace(char c) {
    return Character.isWhitespace(c)
        ? c < 0x1c || c > 0x1f // Java counts the four separators of ASCII, Go does not
        : Character.isSpaceChar(c) || c == 0x85;
  }
}
