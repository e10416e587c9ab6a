// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who owns the fields of an object, as {@code managedFields} show it, and how Helm gets back what
 * others edited; pure.
 *
 * <p>Server-side apply merges some lists by key: an item whose key somebody edited is another item,
 * which an apply leaves beside its own. It removes only what its own manager owned before. So the
 * items are handed to Helm, whose next apply then takes them away. Two port entries of one name, or
 * two kinds of source in one volume, are even invalid, and no apply gets through before that.
 */
public final class ManagedFields {
  /** The name under which Helm applies. */
  public static final String HELM_MANAGER = "helm";

  /**
   * The time of Helm's entry while it owns what it did not apply: should we be killed before the
   * Helm run, the next inspection finds it again.
   */
  public static final String APPLY_PENDING_TIME = "1970-01-01T00:00:00Z";

  private static final JsonMapper JSON = new JsonMapper();
  private static final String APPLY = "Apply";
  private static final String KUBERNETES_PREFIX = "kube-";
  private static final List<String> USER_TOOLS =
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

  private ManagedFields() {}

  /** How much is handed over. */
  public enum TransferScope {
    /** Items of merged lists that the manifest sets, from the tools that people use. */
    USER_LIST_ITEMS,
    /** The same, whoever wrote them: the server does not take the manifest beside them. */
    LIST_ITEMS,
    /** Everything but metadata, from the tools that people use. */
    ALL_USER_FIELDS
  }

  /** Whether edits of others may be the reason why the server finds the manifest invalid. */
  public static boolean blockApply(JsonNode live, JsonNode wanted) {
    return isApplyPending(live)
        || transferToHelm(live, wanted, TransferScope.LIST_ITEMS).isPresent()
        || transferToHelm(live, wanted, TransferScope.ALL_USER_FIELDS).isPresent();
  }

  private static boolean isApplyPending(JsonNode live) {
    return entries(live).stream()
        .anyMatch(entry -> isHelm(entry) && APPLY_PENDING_TIME.equals(entry.path("time").asText()));
  }

  /** The new {@code managedFields}; empty if there is nothing to hand over. */
  public static Optional<ArrayNode> transferToHelm(
      JsonNode live, JsonNode wanted, TransferScope transferScope) {
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
      } else if (!isTransferred(next, transferScope, apiVersion)
          || moveFields(next, wanted, transferScope, given)) {
        result.add(next);
      }
    }
    if (given.isEmpty() || (helms != null && !isOf(helms, apiVersion))) {
      return Optional.empty();
    }
    if (helms == null) {
      helms = result.addObject();
      helms.put("manager", HELM_MANAGER).put("operation", APPLY).put("apiVersion", apiVersion);
      helms.put("fieldsType", "FieldsV1").putObject("fieldsV1");
    }
    helms.put("time", APPLY_PENDING_TIME);
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
    return HELM_MANAGER.equals(entry.path("manager").asText());
  }

  private static boolean isOf(JsonNode entry, String apiVersion) {
    return apiVersion.equals(entry.path("apiVersion").asText());
  }

  /** Subresources (status, scale) are not what a manifest speaks of. */
  private static boolean isTransferred(
      JsonNode entry, TransferScope transferScope, String apiVersion) {
    return !isHelm(entry)
        && isOf(entry, apiVersion)
        && entry.path("subresource").asText("").isEmpty()
        && isTransferredFrom(entry.path("manager").asText(), transferScope);
  }

  private static boolean isTransferredFrom(String manager, TransferScope transferScope) {
    return switch (transferScope) {
      case LIST_ITEMS -> !manager.startsWith(KUBERNETES_PREFIX);
      case USER_LIST_ITEMS, ALL_USER_FIELDS -> isUserTool(manager);
    };
  }

  private static boolean isUserTool(String manager) {
    var name = manager.toLowerCase(Locale.ROOT);
    return USER_TOOLS.stream()
        .anyMatch(
            tool -> name.equals(tool) || name.startsWith(tool + "-") || name.equals(tool + ".exe"));
  }

  /** Moves fields of an entry; whether anything of the entry is left. */
  private static boolean moveFields(
      ObjectNode entry, JsonNode wanted, TransferScope transferScope, ObjectNode given) {
    if (!(entry.path("fieldsV1") instanceof ObjectNode owned)) {
      return true;
    }
    for (var field : names(owned)) {
      if (field.equals("f:metadata") || !(owned.path(field) instanceof ObjectNode part)) {
        continue;
      }
      if (transferScope == TransferScope.ALL_USER_FIELDS) {
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

  /**
   * Whether somebody other than Helm wrote an object since Helm did. Asking the server what the
   * manifest would change costs two requests per object; who wrote last is in the metadata that we
   * watch anyway.
   */
  static final class ForeignWriteCheck {

    private ForeignWriteCheck() {}

    static boolean hasForeignWrite(ObjectMeta metadata) {
      var entries = metadata.getManagedFields();
      if (entries == null || entries.isEmpty()) {
        return true; // Nothing to go by.
      }
      var helms =
          entries.stream()
              .filter(entry -> ManagedFields.HELM_MANAGER.equals(entry.getManager()))
              .map(ForeignWriteCheck::time)
              .max(Comparator.naturalOrder());
      return helms.isEmpty()
          || entries.stream().anyMatch(ForeignWriteCheck::isApplyPending)
          || entries.stream()
              .filter(
                  entry ->
                      !ManagedFields.HELM_MANAGER.equals(entry.getManager()) && !isStatus(entry))
              // Times have whole seconds: the same second may be before or after. The scale
              // subresource leaves no time at all, so that it may have been any time.
              .anyMatch(
                  entry -> entry.getTime() == null || time(entry).compareTo(helms.get()) >= 0);
    }

    /** Helm was given fields and has not applied since. */
    private static boolean isApplyPending(ManagedFieldsEntry entry) {
      return ManagedFields.HELM_MANAGER.equals(entry.getManager())
          && ManagedFields.APPLY_PENDING_TIME.equals(entry.getTime());
    }

    private static boolean isStatus(ManagedFieldsEntry entry) {
      return "status".equals(entry.getSubresource());
    }

    /** RFC 3339 in UTC with whole seconds sorts as text. */
    private static String time(ManagedFieldsEntry entry) {
      return entry.getTime() == null ? "" : entry.getTime();
    }
  }
}
