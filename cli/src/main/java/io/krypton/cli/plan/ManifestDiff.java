// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator.Feature;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.krypton.operator.release.inventory.Manifest;
import io.krypton.operator.release.inventory.Manifest.ManifestObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** How the objects of a release would change; content of Secrets never shows; pure. */
final class ManifestDiff {
  private static final String REDACTED = "(redacted)";
  private static final String CHANGED = "(redacted and changed)";
  // Anything shorter is found by chance everywhere.
  private static final int MIN_SECRET_LENGTH = 4;

  private final YAMLMapper yaml =
      YAMLMapper.builder(
              YAMLFactory.builder()
                  .disable(Feature.WRITE_DOC_START_MARKER)
                  .disable(Feature.SPLIT_LINES)
                  .enable(Feature.MINIMIZE_QUOTES)
                  .enable(Feature.LITERAL_BLOCK_STYLE)
                  .build())
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .build();
  private final String namespace;
  private final Predicate<ManifestObject> isClusterScoped;
  private final Set<String> secrets;

  /**
   * For one release.
   *
   * @param namespace of objects that name none
   * @param isClusterScoped kinds that are in no namespace
   * @param secrets texts that came from Secrets and must not show anywhere
   */
  ManifestDiff(String namespace, Predicate<ManifestObject> isClusterScoped, Set<String> secrets) {
    this.namespace = namespace;
    this.isClusterScoped = isClusterScoped;
    this.secrets = Set.copyOf(secrets);
  }

  /** One object that would be added, removed or changed. */
  record ObjectDiff(String object, String change, List<String> lines) {
    ObjectDiff {
      lines = List.copyOf(lines);
    }
  }

  List<ObjectDiff> between(Manifest before, Manifest after) {
    var old = byName(before);
    var wanted = byName(after);
    var names = new TreeSet<>(old.keySet());
    names.addAll(wanted.keySet());
    var diffs = new ArrayList<ObjectDiff>();
    for (var name : names) {
      var from = old.get(name);
      var to = wanted.get(name);
      var lines = diff(from, to);
      if (!lines.isEmpty()) {
        diffs.add(
            new ObjectDiff(
                name, from == null ? "added" : to == null ? "removed" : "changed", lines));
      }
    }
    return diffs;
  }

  private Map<String, ObjectNode> byName(Manifest manifest) {
    var objects = new TreeMap<String, ObjectNode>();
    manifest.objects().forEach(object -> objects.put(name(object), object.content()));
    return objects;
  }

  String name(ManifestObject object) {
    if (isClusterScoped.test(object)) {
      return object.kind() + " " + object.name();
    }
    return "%s %s/%s"
        .formatted(
            object.kind(),
            object.namespace() == null ? namespace : object.namespace(),
            object.name());
  }

  private List<String> diff(@Nullable ObjectNode from, @Nullable ObjectNode to) {
    if (from != null && to != null && from.equals(to)) {
      return List.of();
    }
    redact(from, to);
    return UnifiedDiff.of(text(from), text(to));
  }

  /** Told apart are only equal and changed: even a hash would tell something of a short secret. */
  private static void redact(@Nullable ObjectNode from, @Nullable ObjectNode to) {
    if (!isSecret(from) && !isSecret(to)) {
      return;
    }
    for (var field : List.of("data", "stringData")) {
      var before = from == null ? null : from.get(field);
      if (to != null && to.get(field) instanceof ObjectNode after) {
        after
            .properties()
            .forEach(
                entry ->
                    after.put(
                        entry.getKey(),
                        from == null || isSame(before, entry) ? REDACTED : CHANGED));
      }
      if (before instanceof ObjectNode object) {
        object.properties().forEach(entry -> object.put(entry.getKey(), REDACTED));
      }
    }
  }

  private static boolean isSame(@Nullable JsonNode before, Map.Entry<String, JsonNode> entry) {
    return before == null || entry.getValue().equals(before.get(entry.getKey()));
  }

  private static boolean isSecret(@Nullable ObjectNode object) {
    return object != null && object.path("kind").asText().equals("Secret");
  }

  /** A text without what came from Secrets. */
  String masked(String text) {
    var clean = text;
    for (var secret : secrets) {
      clean = secret.length() < MIN_SECRET_LENGTH ? clean : clean.replace(secret, "***");
    }
    return clean;
  }

  private List<String> text(@Nullable ObjectNode object) {
    if (object == null) {
      return List.of();
    }
    try {
      var sorted = yaml.convertValue(object, TreeMap.class);
      var text = yaml.writeValueAsString(sorted);
      return masked(text).lines().toList();
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("JSON that YAML cannot express", impossible);
    }
  }
}
