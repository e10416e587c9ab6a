// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chart values: an immutable tree that never shows its content in {@code toString}. */
public final class ChartValues {
  private static final JsonMapper JSON = new JsonMapper();
  private static final ChartValues EMPTY = new ChartValues(Map.of(), Set.of());

  private final Map<String, @Nullable Object> tree;
  private final Set<String> secrets;

  private ChartValues(Map<String, @Nullable Object> tree, Set<String> secrets) {
    this.tree = tree;
    this.secrets = Set.copyOf(secrets);
  }

  public static ChartValues empty() {
    return EMPTY;
  }

  /** Takes a JSON-like tree: maps with text keys, lists, texts, numbers, booleans and nulls. */
  public static ChartValues of(Map<String, ?> tree) {
    return new ChartValues(ValueTree.copy(tree), Set.of());
  }

  /** Reads YAML; {@code origin} names the text in the message if it is not a map. */
  public static ParseResult parse(String origin, String yaml) {
    return switch (Yaml.single(yaml)) {
      case Yaml.Malformed(String message) -> new ParseResult.Invalid(origin + ": " + message);
      case Yaml.Documents documents -> ofDocument(origin, Yaml.first(documents));
    };
  }

  private static ParseResult ofDocument(String origin, @Nullable Object document) {
    return switch (document) {
      case null -> new ParseResult.Parsed(EMPTY);
      case Map<?, ?> map -> new ParseResult.Parsed(new ChartValues(ValueTree.copy(map), Set.of()));
      default ->
          new ParseResult.Invalid(
              origin + ": not a map; values look like 'replicaCount: 2', one key per line");
    };
  }

  /** The same values; their texts are kept out of everything people get to read. */
  public ChartValues asSecret() {
    var texts = new HashSet<String>();
    ValueTree.collectScalars(tree, texts);
    return new ChartValues(tree, texts);
  }

  /** The same values; these texts, too, are kept out of everything people get to read. */
  public ChartValues hiding(Set<String> texts) {
    var all = new HashSet<>(secrets);
    all.addAll(texts);
    return new ChartValues(tree, all);
  }

  /** Deep merge: maps are merged, everything else, lists and null included, replaces. */
  public ChartValues mergedWith(ChartValues later) {
    var all = new HashSet<>(secrets);
    all.addAll(later.secrets);
    return new ChartValues(ValueTree.merge(tree, later.tree), all);
  }

  public static ChartValues merge(Collection<ChartValues> layers) {
    return layers.stream().reduce(EMPTY, ChartValues::mergedWith);
  }

  public boolean isEmpty() {
    return tree.isEmpty();
  }

  /** Texts that came from Secrets and must be blotted out of any output. */
  public Set<String> secrets() {
    return secrets;
  }

  /** The values as a file for Helm; JSON is YAML without surprises. */
  public String json() {
    try {
      return JSON.writeValueAsString(tree);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("values hold something that JSON cannot express", e);
    }
  }

  /** Every leaf as {@code path=value} in byte order of the path; equal texts mean equal values. */
  public Collection<String> canonicalLeaves() {
    return CanonicalLeaves.of(tree);
  }

  ChartValues with(String key, Object value) {
    var copy = new LinkedHashMap<>(tree);
    copy.put(key, value);
    return new ChartValues(Collections.unmodifiableMap(copy), secrets);
  }

  boolean has(String key) {
    return tree.containsKey(key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ChartValues chartValues && tree.equals(chartValues.tree);
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }

  @Override
  public String toString() {
    return "Values(" + tree.size() + " keys)";
  }

  /**
   * A value beneath all layers, given only to charts whose own defaults know the key: a chart with
   * a strict schema refuses keys it does not know.
   */
  public record DefaultValue(String key, Object value) {

    /** For Tenants. */
    public static DefaultValue installCrds(boolean install) {
      return new DefaultValue("installCRDs", install);
    }

    /** For KryptonDeployments. */
    public static DefaultValue oneReplica() {
      return new DefaultValue("replicaCount", 1L);
    }

    /** The values Helm gets; fingerprints are taken from {@code layers} alone. */
    public ChartValues applyTo(ChartValues layers, Set<String> keysOfTheChart) {
      return layers.has(key) || !keysOfTheChart.contains(key) ? layers : layers.with(key, value);
    }
  }

  /** Values read from YAML, or what is wrong with the text. */
  public sealed interface ParseResult {

    record Parsed(ChartValues values) implements ParseResult {}

    /** The message names the origin and the place, never the content. */
    record Invalid(String message) implements ParseResult {}
  }

  /** Copying, merging and walking JSON-like trees. */
  static final class ValueTree {
    private ValueTree() {}

    static Map<String, @Nullable Object> copy(Map<?, ?> map) {
      var copy = new LinkedHashMap<String, @Nullable Object>();
      map.forEach((key, value) -> copy.put((String) key, copyOf(value)));
      return Collections.unmodifiableMap(copy);
    }

    private static @Nullable Object copyOf(@Nullable Object value) {
      return switch (value) {
        case null -> null;
        case Map<?, ?> map -> copy(map);
        case List<?> list -> {
          var copy = new ArrayList<@Nullable Object>();
          list.forEach(item -> copy.add(copyOf(item)));
          yield Collections.unmodifiableList(copy);
        }
        case Number number -> JsonNumbers.normalize(number);
        case String text -> text;
        case Boolean flag -> flag;
        default -> throw new IllegalArgumentException("not a JSON value: " + value.getClass());
      };
    }

    static Map<String, @Nullable Object> merge(Map<?, ?> earlier, Map<?, ?> later) {
      var merged = new LinkedHashMap<String, @Nullable Object>();
      earlier.forEach((key, value) -> merged.put((String) key, value));
      later.forEach(
          (key, above) ->
              merged.put(
                  (String) key,
                  earlier.get(key) instanceof Map<?, ?> below && above instanceof Map<?, ?> map
                      ? merge(below, map)
                      : above));
      return Collections.unmodifiableMap(merged);
    }

    static void collectScalars(@Nullable Object value, Set<String> into) {
      switch (value) {
        case Map<?, ?> map -> map.values().forEach(item -> collectScalars(item, into));
        case List<?> list -> list.forEach(item -> collectScalars(item, into));
        case String text -> into.add(text);
        case Number number -> into.add(JsonNumbers.text(number));
        case null, default -> {
          // A boolean or null tells nothing worth hiding, and hiding it would garble every message.
        }
      }
    }
  }
}
