// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import io.krypton.operator.release.values.Yaml.RepeatedKey;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Turns the node graph of SnakeYAML into plain values, within limits that hostile text respects.
 */
final class YamlReader {
  private static final int CODE_POINTS = 16 << 20;
  private static final int DEPTH = 100;
  // Aliases are expanded, so a few lines could otherwise stand for billions of values.
  private static final int NODES = 1_000_000;
  // Marks an unquoted scalar whose meaning is still to be read from its text.
  private static final Tag UNQUOTED = new Tag("!unquoted");

  private final RepeatedKey repeatedKey;
  private int nodes;

  private YamlReader(RepeatedKey repeatedKey) {
    this.repeatedKey = repeatedKey;
  }

  static Yaml read(String text, RepeatedKey repeatedKey) {
    var options = new LoaderOptions();
    options.setCodePointLimit(CODE_POINTS);
    options.setNestingDepthLimit(DEPTH);
    var parser = new ParserImpl(new StreamReader(new StringReader(text)), options);
    var composer = new Composer(parser, new UnquotedOrText(), options);
    var reader = new YamlReader(repeatedKey);
    try {
      var documents = new ArrayList<Object>();
      while (composer.checkNode()) {
        var document = reader.value(composer.getNode(), 0);
        if (document != null) {
          documents.add(document);
        }
      }
      return new Yaml.Documents(documents);
    } catch (DefectException defect) {
      return new Yaml.Malformed(at(defect.where, defect.problem));
    } catch (MarkedYAMLException e) {
      return new Yaml.Malformed(at(e.getProblemMark(), e.getProblem()));
    } catch (YAMLException e) {
      return new Yaml.Malformed("it exceeds a limit or holds a character YAML does not allow");
    }
  }

  private static String at(@Nullable Mark mark, @Nullable String problem) {
    var what = problem == null ? "not valid YAML" : problem;
    return mark == null
        ? what
        : "line %d, column %d: %s".formatted(mark.getLine() + 1, mark.getColumn() + 1, what);
  }

  private @Nullable Object value(Node node, int depth) {
    if (++nodes > NODES || depth > DEPTH) {
      throw new DefectException(node.getStartMark(), "too large or too deeply nested");
    }
    return switch (node) {
      case ScalarNode scalar -> scalar(scalar);
      case SequenceNode sequence -> {
        var list = new ArrayList<@Nullable Object>();
        sequence.getValue().forEach(item -> list.add(value(item, depth + 1)));
        yield list;
      }
      case MappingNode mapping -> map(mapping, depth);
      default -> throw new DefectException(node.getStartMark(), "unexpected kind of node");
    };
  }

  private static @Nullable Object scalar(ScalarNode node) {
    var word = node.getValue();
    var readByMeaning =
        node.getTag().equals(UNQUOTED)
            || List.of(Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL).contains(node.getTag());
    if (!readByMeaning) {
      return word;
    }
    if (YamlScalar.isOutsideJson(word)) {
      throw new DefectException(
          node.getStartMark(), "infinity and not-a-number cannot be used here");
    }
    return YamlScalar.read(word);
  }

  private Map<String, @Nullable Object> map(MappingNode mapping, int depth) {
    var own = new LinkedHashMap<String, @Nullable Object>();
    var merged = new LinkedHashMap<String, @Nullable Object>();
    for (NodeTuple entry : mapping.getValue()) {
      if (isMergeKey(entry.getKeyNode())) {
        merge(entry.getValueNode(), merged, depth + 1);
        continue;
      }
      var key = key(entry.getKeyNode());
      if (own.containsKey(key) && repeatedKey == RepeatedKey.REFUSED) {
        throw new DefectException(
            entry.getKeyNode().getStartMark(), "key '" + key + "' appears twice");
      }
      own.put(key, value(entry.getValueNode(), depth + 1));
    }
    merged.putAll(own);
    return merged;
  }

  private static boolean isMergeKey(Node key) {
    return key instanceof ScalarNode scalar
        && scalar.getTag().equals(UNQUOTED)
        && scalar.getValue().equals("<<");
  }

  private void merge(Node source, Map<String, @Nullable Object> into, int depth) {
    switch (source) {
      case MappingNode mapping -> map(mapping, depth).forEach(into::putIfAbsent);
      case SequenceNode list -> list.getValue().forEach(item -> merge(item, into, depth + 1));
      default ->
          throw new DefectException(source.getStartMark(), "'<<' needs a map or a list of maps");
    }
  }

  private static String key(Node node) {
    var key = node instanceof ScalarNode scalar ? scalar(scalar) : null;
    return switch (key) {
      case String text -> text;
      case Number number -> JsonNumbers.text(number);
      case Boolean flag -> flag.toString();
      case null, default -> throw new DefectException(node.getStartMark(), "a key must be a word");
    };
  }

  /** Leaves the meaning of words to {@link YamlScalar} and keeps quoted text apart from them. */
  private static final class UnquotedOrText extends Resolver {
    @Override
    protected void addImplicitResolvers() {}

    @Override
    public Tag resolve(NodeId kind, @Nullable String value, boolean implicit) {
      if (kind == NodeId.scalar) {
        return implicit ? UNQUOTED : Tag.STR;
      }
      return kind == NodeId.sequence ? Tag.SEQ : Tag.MAP;
    }
  }

  private static final class DefectException extends RuntimeException {
    private final transient @Nullable Mark where;
    private final String problem;

    DefectException(@Nullable Mark where, String problem) {
      super(problem, null, false, false);
      this.where = where;
      this.problem = problem;
    }
  }
}
