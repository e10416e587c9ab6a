// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.kms.config.yaml.YamlNode.Pair;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** Parses the first document of a YAML stream; what follows it is ignored. */
final class YamlParser {
  /** A valid configuration has six levels; deeper ones can only be refused. */
  private static final int MAX_DEPTH = 100;

  private static final Pattern ANCHOR = Pattern.compile("[0-9A-Za-z_-]+");
  private static final Pattern DIRECTIVE = Pattern.compile("%YAML\\s+1\\.1(\\s|$)|%TAG\\s");

  private final int[] characters;
  private final ParserImpl parser;
  private final Map<String, Anchor> anchors = new HashMap<>();

  private YamlParser(String text) {
    characters = text.codePoints().toArray();
    var options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    parser = new ParserImpl(new StreamReader(text), options);
  }

  record YamlDocument(YamlNode root, boolean moreFollows) {}

  /** Named when its node begins, filled when it ends: an alias in between refers to itself. */
  private static final class Anchor {
    private @Nullable YamlNode node;
  }

  static YamlDocument parse(byte[] bytes) throws InvalidConfigurationException {
    var text = YamlEncoding.decode(bytes);
    checkDirectives(text);
    try {
      return parse(text);
    } catch (InvalidConfigurationException e) {
      if (text.indexOf('\t') < 0) {
        throw e;
      }
      return parse(YamlTabNormalizer.normalize(text));
    }
  }

  private static YamlDocument parse(String text) throws InvalidConfigurationException {
    try {
      return new YamlParser(text).document();
    } catch (MarkedYAMLException e) {
      throw syntaxError(e.getProblemMark());
    } catch (YAMLException e) {
      throw syntaxError(null);
    }
  }

  /** SnakeYAML passes over directives that it does not know; kube-apiserver's parser does not. */
  private static void checkDirectives(String text) throws InvalidConfigurationException {
    int line = 0;
    for (var content : text.lines().toList()) {
      line++;
      if (content.startsWith("%") && !DIRECTIVE.matcher(content).lookingAt()) {
        throw new InvalidConfigurationException("yaml: line %d: unknown directive".formatted(line));
      }
      if (!content.isBlank() && !content.startsWith("#") && !content.startsWith("%")) {
        return;
      }
    }
  }

  private YamlDocument document() throws InvalidConfigurationException {
    parser.getEvent();
    if (parser.checkEvent(Event.ID.StreamEnd)) {
      return new YamlDocument(new YamlNode.Scalar(1, "", true, ""), false);
    }
    parser.getEvent();
    var root = node(0);
    parser.getEvent();
    return new YamlDocument(root, moreFollows());
  }

  private boolean moreFollows() {
    try {
      return !parser.checkEvent(Event.ID.StreamEnd);
    } catch (YAMLException e) {
      return true; // broken, but there: kube-apiserver does not read so far either
    }
  }

  private YamlNode node(int depth) throws InvalidConfigurationException {
    var event = parser.getEvent();
    int line = event.getStartMark().getLine() + 1;
    if (depth > MAX_DEPTH) {
      throw new InvalidConfigurationException("yaml: line %d: nested too deeply".formatted(line));
    }
    if (event instanceof AliasEvent alias) {
      return alias(line, alias.getAnchor());
    }
    var anchor = anchorOf((NodeEvent) event);
    var node =
        switch (event.getEventId()) {
          case Scalar -> scalar(line, (ScalarEvent) event);
          case SequenceStart -> sequence(line, depth);
          case MappingStart -> mapping(line, depth);
          default -> throw syntaxError(event.getStartMark());
        };
    anchor.node = node;
    return node;
  }

  private YamlNode alias(int line, String name) throws InvalidConfigurationException {
    var anchor = anchors.get(name);
    if (anchor == null) {
      throw new InvalidConfigurationException(
          "yaml: line %d: alias without an anchor".formatted(line));
    }
    if (anchor.node == null) {
      throw new InvalidConfigurationException(
          "yaml: line %d: alias inside its own anchor".formatted(line));
    }
    return new YamlNode.Alias(line, anchor.node);
  }

  private Anchor anchorOf(NodeEvent event) throws InvalidConfigurationException {
    var anchor = new Anchor();
    if (event.getAnchor() != null) {
      if (!ANCHOR.matcher(event.getAnchor()).matches()) {
        throw syntaxError(event.getStartMark());
      }
      anchors.put(event.getAnchor(), anchor);
    }
    return anchor;
  }

  private YamlNode scalar(int line, ScalarEvent event) throws InvalidConfigurationException {
    if (event.isPlain() && colonSticksToBracket(event.getEndMark().getIndex())) {
      throw new InvalidConfigurationException(
          "yaml: line %d: a space is missing behind a colon".formatted(line));
    }
    if (event.getValue().codePoints().anyMatch(YamlParser::isHalfACharacter)) {
      throw syntaxError(event.getStartMark());
    }
    var tag = Objects.requireNonNullElse(event.getTag(), "");
    boolean plain = event.getImplicit().canOmitTagInPlainScalar();
    return new YamlNode.Scalar(line, tag, plain, event.getValue());
  }

  /** In <code>{a:[b]}</code> SnakeYAML sees a key, kube-apiserver's parser a text with a colon. */
  private boolean colonSticksToBracket(int end) {
    return end + 1 < characters.length
        && characters[end] == ':'
        && ",[]{}".indexOf(characters[end + 1]) >= 0;
  }

  private static boolean isHalfACharacter(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
  }

  private YamlNode sequence(int line, int depth) throws InvalidConfigurationException {
    var items = new ArrayList<YamlNode>();
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(depth + 1));
    }
    parser.getEvent();
    return new YamlNode.Sequence(line, items);
  }

  private YamlNode mapping(int line, int depth) throws InvalidConfigurationException {
    var pairs = new ArrayList<Pair>();
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      pairs.add(new Pair(node(depth + 1), node(depth + 1)));
    }
    parser.getEvent();
    return new YamlNode.Mapping(line, pairs);
  }

  private static InvalidConfigurationException syntaxError(@Nullable Mark mark) {
    return mark == null
        ? new InvalidConfigurationException("yaml: not valid YAML")
        : new InvalidConfigurationException(
            "yaml: line %d: not valid YAML".formatted(mark.getLine() + 1));
  }

  /** From bytes to the characters that YAML allows: UTF-8, or UTF-16 behind a byte order mark. */
  static final class YamlEncoding {
    private YamlEncoding() {}

    static String decode(byte[] bytes) throws InvalidConfigurationException {
      var text = decode(bytes, encodingOf(bytes));
      int line = 1;
      for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
        if (!StreamReader.isPrintable(text.codePointAt(i))) {
          throw new InvalidConfigurationException(
              "yaml: line %d: control characters are not allowed".formatted(line));
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

    private static String decode(byte[] bytes, Charset encoding)
        throws InvalidConfigurationException {
      try {
        return encoding.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      } catch (CharacterCodingException e) {
        throw new InvalidConfigurationException("yaml: the file is not valid " + encoding.name());
      }
    }
  }
}
