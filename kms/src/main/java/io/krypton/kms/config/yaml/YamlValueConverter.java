// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import io.krypton.kms.config.yaml.Value.Field;
import io.krypton.kms.config.yaml.YamlNode.Alias;
import io.krypton.kms.config.yaml.YamlNode.Mapping;
import io.krypton.kms.config.yaml.YamlNode.Scalar;
import io.krypton.kms.config.yaml.YamlNode.Sequence;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns YAML nodes into values: expands aliases and merge keys, sorts fields by name, and collects
 * the keys that were set twice (a merged key that is set again counts, too).
 */
final class YamlValueConverter {
  private static final String MERGE_TAG = "tag:yaml.org,2002:merge";

  /** Aliases may multiply a small file; no configuration needs so many values. */
  private static final int MAX_NODES = 100_000;

  private final List<String> duplicates = new ArrayList<>();
  private int nodes;

  private YamlValueConverter() {}

  record Converted(Value value, List<String> duplicates) {}

  static Converted convert(YamlNode root) throws InvalidConfigurationException {
    var conversion = new YamlValueConverter();
    var value = conversion.value(root);
    return new Converted(value, List.copyOf(conversion.duplicates));
  }

  private Value value(YamlNode node) throws InvalidConfigurationException {
    count(node);
    return switch (node) {
      case Alias alias -> value(alias.target());
      case Scalar scalar -> scalar(scalar);
      case Sequence sequence -> sequence(sequence);
      case Mapping mapping -> {
        var members = new LinkedHashMap<Object, Value>();
        fill(members, mapping);
        yield fields(members);
      }
    };
  }

  private void count(YamlNode node) throws InvalidConfigurationException {
    if (++nodes > MAX_NODES) {
      throw new InvalidConfigurationException(
          "yaml: line %d: too many values".formatted(node.line()));
    }
  }

  private static Value scalar(Scalar scalar) throws InvalidConfigurationException {
    return switch (YamlScalarResolver.resolve(scalar)) {
      case null -> new Value.Null();
      case Boolean on -> new Value.Bool(on);
      case Double number when number.isNaN() -> throw unsupported("NaN");
      case Double number when number.isInfinite() ->
          throw unsupported(number > 0 ? "+Inf" : "-Inf");
      case Double number -> new Value.Numeral(GoText.json(number));
      case Object other when other instanceof String text -> new Value.Text(text);
      case Object number -> new Value.Numeral(number.toString());
    };
  }

  private static InvalidConfigurationException unsupported(String number) {
    return new InvalidConfigurationException("json: unsupported value: " + number);
  }

  private Value sequence(Sequence sequence) throws InvalidConfigurationException {
    var values = new ArrayList<Value>();
    for (var item : sequence.items()) {
      values.add(value(item));
    }
    return new Value.Array(values);
  }

  private void fill(Map<Object, Value> members, Mapping mapping)
      throws InvalidConfigurationException {
    for (var pair : mapping.pairs()) {
      if (isMerge(pair.key())) {
        merge(members, pair.value());
        continue;
      }
      var key = key(pair.key());
      var value = value(pair.value());
      if (members.put(key, value) != null) {
        duplicates.add(
            "line %d: key %s already set in map".formatted(pair.value().line(), displayName(key)));
      }
    }
  }

  private static boolean isMerge(YamlNode key) {
    return key instanceof Scalar scalar
        && scalar.content().equals("<<")
        && (scalar.plain() || scalar.tag().equals(MERGE_TAG));
  }

  /** Of several maps the first one wins, so that they are merged from the last to the first. */
  private void merge(Map<Object, Value> members, YamlNode source)
      throws InvalidConfigurationException {
    if (source instanceof Sequence sequence) {
      for (var item : sequence.items().reversed()) {
        fill(members, mapping(item));
      }
    } else {
      fill(members, mapping(source));
    }
  }

  private Mapping mapping(YamlNode source) throws InvalidConfigurationException {
    count(source);
    var target = source instanceof Alias alias ? alias.target() : source;
    if (target instanceof Mapping mapping) {
      return mapping;
    }
    throw new InvalidConfigurationException(
        "yaml: line %d: only a map can be merged".formatted(source.line()));
  }

  private Object key(YamlNode node) throws InvalidConfigurationException {
    count(node);
    var target = node instanceof Alias alias ? alias.target() : node;
    var key = target instanceof Scalar scalar ? YamlScalarResolver.resolve(scalar) : null;
    if (key == null || key instanceof BigInteger) {
      throw new InvalidConfigurationException(
          "yaml: line %d: unsupported map key".formatted(node.line()));
    }
    return key;
  }

  private static Value fields(Map<Object, Value> members) {
    return new Value.Fields(
        members.entrySet().stream()
            .map(member -> new Field(name(member.getKey()), member.getValue()))
            .sorted(Comparator.comparing(Field::name))
            .toList());
  }

  private static String name(Object key) {
    if (!(key instanceof Double number)) {
      return key.toString();
    }
    if (number.isNaN() || number.isInfinite()) {
      return number.isNaN() ? ".nan" : number > 0 ? ".inf" : "-.inf";
    }
    return new BigDecimal(Float.toString(number.floatValue())).stripTrailingZeros().toPlainString();
  }

  private static String displayName(Object key) {
    return key instanceof String text ? GoText.quote(KeyRedactor.redact(text)) : name(key);
  }
}
