package io.krypton.operator.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the fields of an object, as {@code managedFields} tell it, and how Helm gets back what
 * others edited; pure.
 *
 * <p>Server-side apply merges some lists by key: an item whose key somebody edited is another item,
 * which an apply leaves beside its own. It removes only what its own manager owned before. So the
 * items are handed to Helm, whose next apply then takes them away. Two port entries of one name, or
 * two kinds of source in one volume, are even invalid, and no apply gets through before that.
 */
public final class HandEdits {
  /** The name under which Helm applies. */
  public static final String HELM = "helm";

  /**
   * The time of Helm's entry while it owns what it did not apply: should we be killed before the
   * Helm run, the next look sees that it is still due.
   */
  public static final String DUE = "1970-01-01T00:00:00Z";

  private static final JsonMapper JSON = new JsonMapper();
  private static final String APPLY = "Apply";
  private static final String KUBERNETES_ITSELF = "kube-";
  private static final List<String> TOOLS_OF_PEOPLE =
      List.of(
          "kubectl",
          "before-first-apply",
          "oc",
          "k9s",
          "lens",
          "openlens",
          "freelens",
          "headlamp",
          "node-fetch",
          "mozilla",
          "curl",
          "postmanruntime");

  private HandEdits() {}

  /** How much is handed over. */
  public enum Extent {
    /** Items of merged lists that the manifest sets, from the tools that people use. */
    ITEMS_OF_PEOPLE,
    /** The same, whoever wrote them: the server does not take the manifest beside them. */
    ITEMS,
    /** Everything but metadata, from the tools that people use. */
    ALL_OF_PEOPLE
  }

  /** Whether edits of others may be the reason why the server finds the manifest invalid. */
  public static boolean standInTheWay(JsonNode live, JsonNode wanted) {
    return isDue(live)
        || givenToHelm(live, wanted, Extent.ITEMS).isPresent()
        || givenToHelm(live, wanted, Extent.ALL_OF_PEOPLE).isPresent();
  }

  private static boolean isDue(JsonNode live) {
    return entries(live).stream()
        .anyMatch(entry -> isHelm(entry) && DUE.equals(entry.path("time").asText()));
  }

  /** The new {@code managedFields}; empty if there is nothing to hand over. */
  public static Optional<ArrayNode> givenToHelm(JsonNode live, JsonNode wanted, Extent extent) {
    var entries = entries(live);
    var apiVersion = wanted.path("apiVersion").asText();
    var given = JsonNodeFactory.instance.objectNode();
    var result = JsonNodeFactory.instance.arrayNode();
    @Nullable ObjectNode helms = null;
    for (var entry : entries) {
      var next = entry.deepCopy();
      if (isHelm(next) && APPLY.equals(next.path("operation").asText())) {
        helms = next;
        result.add(next);
      } else if (!isGiven(next, extent, apiVersion) || handOver(next, wanted, extent, given)) {
        result.add(next);
      }
    }
    if (given.isEmpty() || (helms != null && !isOf(helms, apiVersion))) {
      return Optional.empty();
    }
    if (helms == null) {
      helms = result.addObject();
      helms.put("manager", HELM).put("operation", APPLY).put("apiVersion", apiVersion);
      helms.put("fieldsType", "FieldsV1").putObject("fieldsV1");
    }
    helms.put("time", DUE);
    if (helms.path("fieldsV1") instanceof ObjectNode owned) {
      merge(owned, given);
    }
    return Optional.of(result);
  }

  /** A JSON patch that fails if the object is no longer the one that was read. */
  public static String patch(JsonNode live, ArrayNode managedFields) {
    var patch = JsonNodeFactory.instance.arrayNode();
    patch
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .set("value", live.path("metadata").path("resourceVersion"));
    patch
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/managedFields")
        .set("value", managedFields);
    return patch.toString();
  }

  private static List<ObjectNode> entries(JsonNode live) {
    return live.path("metadata")
        .path("managedFields")
        .valueStream()
        .filter(ObjectNode.class::isInstance)
        .map(ObjectNode.class::cast)
        .toList();
  }

  private static boolean isHelm(JsonNode entry) {
    return HELM.equals(entry.path("manager").asText());
  }

  private static boolean isOf(JsonNode entry, String apiVersion) {
    return apiVersion.equals(entry.path("apiVersion").asText());
  }

  /** Subresources (status, scale) are not what a manifest speaks of. */
  private static boolean isGiven(JsonNode entry, Extent extent, String apiVersion) {
    return !isHelm(entry)
        && isOf(entry, apiVersion)
        && entry.path("subresource").asText("").isEmpty()
        && isGiver(entry.path("manager").asText(), extent);
  }

  private static boolean isGiver(String manager, Extent extent) {
    return switch (extent) {
      case ITEMS -> !manager.startsWith(KUBERNETES_ITSELF);
      case ITEMS_OF_PEOPLE, ALL_OF_PEOPLE -> isOfPeople(manager);
    };
  }

  private static boolean isOfPeople(String manager) {
    var name = manager.toLowerCase(Locale.ROOT);
    return TOOLS_OF_PEOPLE.stream()
        .anyMatch(
            tool -> name.equals(tool) || name.startsWith(tool + "-") || name.equals(tool + ".exe"));
  }

  /** Moves fields of an entry; whether anything of the entry is left. */
  private static boolean handOver(
      ObjectNode entry, JsonNode wanted, Extent extent, ObjectNode given) {
    if (!(entry.path("fieldsV1") instanceof ObjectNode owned)) {
      return true;
    }
    for (var field : names(owned)) {
      if (field.equals("f:metadata") || !(owned.path(field) instanceof ObjectNode part)) {
        continue;
      }
      if (extent == Extent.ALL_OF_PEOPLE) {
        merge(child(given, field), part);
        owned.remove(field);
        continue;
      }
      var moved = items(part, wanted.path(afterColon(field)));
      if (!moved.isEmpty()) {
        merge(child(given, field), moved);
      }
      if (part.isEmpty()) {
        owned.remove(field);
      }
    }
    return !owned.isEmpty();
  }

  /** Takes the items out that the manifest's lists do not have, and answers with them. */
  private static ObjectNode items(ObjectNode owned, JsonNode wanted) {
    var moved = JsonNodeFactory.instance.objectNode();
    for (var name : names(owned)) {
      if (!(owned.path(name) instanceof ObjectNode part)) {
        continue;
      }
      var isItem = name.startsWith("k:") || name.startsWith("v:");
      var inManifest = isItem ? item(wanted, name) : wanted.path(afterColon(name));
      if (isItem && wanted.isArray() && inManifest == null) {
        moved.set(name, part.deepCopy());
        owned.remove(name);
      } else if (inManifest != null && inManifest.isContainerNode()) {
        var inner = items(part, inManifest);
        if (!inner.isEmpty()) {
          moved.set(name, inner);
        }
        if (part.isEmpty()) {
          owned.remove(name);
        }
      }
    }
    return moved;
  }

  /** The item of a list that a {@code k:} or {@code v:} names. */
  private static @Nullable JsonNode item(JsonNode list, String name) {
    JsonNode key;
    try {
      key = JSON.readTree(afterColon(name));
    } catch (JsonProcessingException notAKey) {
      throw new IllegalArgumentException("managedFields name no item: " + name, notAKey);
    }
    return list.valueStream()
        .filter(item -> name.startsWith("v:") ? item.equals(key) : hasKey(item, key))
        .findFirst()
        .orElse(null);
  }

  /** A manifest may leave out parts of a key that have a default, such as a protocol. */
  private static boolean hasKey(JsonNode item, JsonNode key) {
    return key.propertyStream()
        .allMatch(
            part -> !item.has(part.getKey()) || item.path(part.getKey()).equals(part.getValue()));
  }

  private static String afterColon(String name) {
    return name.substring(name.indexOf(':') + 1);
  }

  private static void merge(ObjectNode into, ObjectNode more) {
    for (var name : names(more)) {
      if (more.path(name) instanceof ObjectNode part) {
        merge(child(into, name), part);
      }
    }
  }

  private static ObjectNode child(ObjectNode of, String name) {
    return of.path(name) instanceof ObjectNode known ? known : of.putObject(name);
  }

  private static List<String> names(ObjectNode object) {
    return object.propertyStream().map(property -> property.getKey()).toList();
  }
}
