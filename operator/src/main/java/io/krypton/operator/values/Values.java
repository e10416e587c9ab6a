package io.krypton.operator.values;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Chart values: an immutable tree that never shows its content in {@code toString}. */
public final class Values {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Values EMPTY = new Values(Map.of(), Set.of());

  private final Map<String, @Nullable Object> tree;
  private final Set<String> secrets;

  private Values(Map<String, @Nullable Object> tree, Set<String> secrets) {
    this.tree = tree;
    this.secrets = Set.copyOf(secrets);
  }

  public static Values empty() {
    return EMPTY;
  }

  /** Takes a JSON-like tree: maps with text keys, lists, texts, numbers, booleans and nulls. */
  public static Values of(Map<String, ?> tree) {
    return new Values(Tree.copy(tree), Set.of());
  }

  /** Reads YAML; {@code origin} names the text in the message if it is not a map. */
  public static ParsedValues parse(String origin, String yaml) {
    return switch (Yaml.single(yaml)) {
      case Yaml.Malformed(String message) -> new ParsedValues.Invalid(origin + ": " + message);
      case Yaml.Documents documents -> ofDocument(origin, Yaml.first(documents));
    };
  }

  private static ParsedValues ofDocument(String origin, @Nullable Object document) {
    return switch (document) {
      case null -> new ParsedValues.Parsed(EMPTY);
      case Map<?, ?> map -> new ParsedValues.Parsed(new Values(Tree.copy(map), Set.of()));
      default ->
          new ParsedValues.Invalid(
              origin + ": not a map; values look like 'replicaCount: 2', one key per line");
    };
  }

  /** The same values; their texts are kept out of everything people get to read. */
  public Values fromSecret() {
    var texts = new HashSet<String>();
    Tree.collectTexts(tree, texts);
    return new Values(tree, texts);
  }

  /** Deep merge: maps are merged, everything else, lists and null included, replaces. */
  public Values overriddenBy(Values later) {
    var all = new HashSet<>(secrets);
    all.addAll(later.secrets);
    return new Values(Tree.merge(tree, later.tree), all);
  }

  public static Values merge(Collection<Values> layers) {
    return layers.stream().reduce(EMPTY, Values::overriddenBy);
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

  Values with(String key, Object value) {
    var copy = new LinkedHashMap<>(tree);
    copy.put(key, value);
    return new Values(Collections.unmodifiableMap(copy), secrets);
  }

  boolean has(String key) {
    return tree.containsKey(key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Values values && tree.equals(values.tree);
  }

  @Override
  public int hashCode() {
    return tree.hashCode();
  }

  @Override
  public String toString() {
    return "Values(" + tree.size() + " keys)";
  }
}
