package io.krypton.kms.encryption;

import io.krypton.kms.encryption.YamlNode.Pair;
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

/** Parses the first document of a YAML stream; what follows it is not looked at. */
final class YamlText {
  /** A valid configuration has six levels; deeper ones can only be refused. */
  private static final int MAX_DEPTH = 100;

  private static final Pattern ANCHOR = Pattern.compile("[0-9A-Za-z_-]+");
  private static final Pattern DIRECTIVE = Pattern.compile("%YAML\\s+1\\.1(\\s|$)|%TAG\\s");

  private final int[] characters;
  private final ParserImpl parser;
  private final Map<String, Anchor> anchors = new HashMap<>();

  private YamlText(String text) {
    characters = text.codePoints().toArray();
    var options = new LoaderOptions();
    options.setCodePointLimit(Integer.MAX_VALUE);
    parser = new ParserImpl(new StreamReader(text), options);
  }

  record Document(YamlNode root, boolean moreFollows) {}

  /** Named when its node begins, filled when it ends: an alias in between refers to itself. */
  private static final class Anchor {
    private @Nullable YamlNode node;
  }

  static Document parse(byte[] bytes) throws Rejected {
    var text = YamlEncoding.decode(bytes);
    checkDirectives(text);
    try {
      return parse(text);
    } catch (Rejected e) {
      if (text.indexOf('\t') < 0) {
        throw e;
      }
      return parse(YamlTabs.skippable(text));
    }
  }

  private static Document parse(String text) throws Rejected {
    try {
      return new YamlText(text).document();
    } catch (MarkedYAMLException e) {
      throw broken(e.getProblemMark());
    } catch (YAMLException e) {
      throw broken(null);
    }
  }

  /** SnakeYAML passes over directives that it does not know; kube-apiserver's parser does not. */
  private static void checkDirectives(String text) throws Rejected {
    int line = 0;
    for (var content : text.lines().toList()) {
      line++;
      if (content.startsWith("%") && !DIRECTIVE.matcher(content).lookingAt()) {
        throw new Rejected("yaml: line %d: unknown directive".formatted(line));
      }
      if (!content.isBlank() && !content.startsWith("#") && !content.startsWith("%")) {
        return;
      }
    }
  }

  private Document document() throws Rejected {
    parser.getEvent();
    if (parser.checkEvent(Event.ID.StreamEnd)) {
      return new Document(new YamlNode.Scalar(1, "", true, ""), false);
    }
    parser.getEvent();
    var root = node(0);
    parser.getEvent();
    return new Document(root, moreFollows());
  }

  private boolean moreFollows() {
    try {
      return !parser.checkEvent(Event.ID.StreamEnd);
    } catch (YAMLException e) {
      return true; // broken, but there: kube-apiserver does not read so far either
    }
  }

  private YamlNode node(int depth) throws Rejected {
    var event = parser.getEvent();
    int line = event.getStartMark().getLine() + 1;
    if (depth > MAX_DEPTH) {
      throw new Rejected("yaml: line %d: nested too deeply".formatted(line));
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
          default -> throw broken(event.getStartMark());
        };
    anchor.node = node;
    return node;
  }

  private YamlNode alias(int line, String name) throws Rejected {
    var anchor = anchors.get(name);
    if (anchor == null) {
      throw new Rejected("yaml: line %d: alias without an anchor".formatted(line));
    }
    if (anchor.node == null) {
      throw new Rejected("yaml: line %d: alias inside its own anchor".formatted(line));
    }
    return new YamlNode.Alias(line, anchor.node);
  }

  private Anchor anchorOf(NodeEvent event) throws Rejected {
    var anchor = new Anchor();
    if (event.getAnchor() != null) {
      if (!ANCHOR.matcher(event.getAnchor()).matches()) {
        throw broken(event.getStartMark());
      }
      anchors.put(event.getAnchor(), anchor);
    }
    return anchor;
  }

  private YamlNode scalar(int line, ScalarEvent event) throws Rejected {
    if (event.isPlain() && colonSticksToBracket(event.getEndMark().getIndex())) {
      throw new Rejected("yaml: line %d: a space is missing behind a colon".formatted(line));
    }
    if (event.getValue().codePoints().anyMatch(YamlText::isHalfACharacter)) {
      throw broken(event.getStartMark());
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

  private YamlNode sequence(int line, int depth) throws Rejected {
    var items = new ArrayList<YamlNode>();
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(depth + 1));
    }
    parser.getEvent();
    return new YamlNode.Sequence(line, items);
  }

  private YamlNode mapping(int line, int depth) throws Rejected {
    var pairs = new ArrayList<Pair>();
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      pairs.add(new Pair(node(depth + 1), node(depth + 1)));
    }
    parser.getEvent();
    return new YamlNode.Mapping(line, pairs);
  }

  private static Rejected broken(@Nullable Mark mark) {
    return mark == null
        ? new Rejected("yaml: not valid YAML")
        : new Rejected("yaml: line %d: not valid YAML".formatted(mark.getLine() + 1));
  }
}
