// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventSeries;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.rollout.Release;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Takes from the JSON of an object what views show. Mapping whole objects by their classes takes
 * several times as long as asking for them.
 */
public final class ObjectTree {
  private ObjectTree() {}

  public static ObjectMeta metadata(JsonNode object) {
    var metadata = object.path("metadata");
    var meta = new ObjectMeta();
    meta.setName(text(metadata, "name"));
    meta.setNamespace(text(metadata, "namespace"));
    meta.setUid(text(metadata, "uid"));
    meta.setResourceVersion(text(metadata, "resourceVersion"));
    meta.setGeneration(number(metadata, "generation"));
    meta.setCreationTimestamp(text(metadata, "creationTimestamp"));
    meta.setDeletionTimestamp(text(metadata, "deletionTimestamp"));
    meta.setAnnotations(texts(metadata.path("annotations")));
    return meta;
  }

  public static Secret secret(JsonNode object) {
    var secret = new Secret();
    secret.setMetadata(metadata(object));
    secret.setData(texts(object.path("data")));
    return secret;
  }

  public static Event event(JsonNode object) {
    var event = new Event();
    event.setMetadata(metadata(object));
    event.setType(text(object, "type"));
    event.setReason(text(object, "reason"));
    event.setMessage(text(object, "message"));
    event.setFirstTimestamp(text(object, "firstTimestamp"));
    event.setLastTimestamp(text(object, "lastTimestamp"));
    event.setEventTime(microTime(object, "eventTime"));
    var count = number(object, "count");
    event.setCount(count == null ? null : count.intValue());
    if (object.path("series").isObject()) {
      var series = new EventSeries();
      series.setLastObservedTime(microTime(object.path("series"), "lastObservedTime"));
      event.setSeries(series);
    }
    var about = object.path("involvedObject");
    var reference = new ObjectReference();
    reference.setKind(text(about, "kind"));
    reference.setNamespace(text(about, "namespace"));
    reference.setName(text(about, "name"));
    reference.setUid(text(about, "uid"));
    event.setInvolvedObject(reference);
    return event;
  }

  static List<Release> releases(JsonNode list) {
    return each(
        list,
        release -> {
          var revision = number(release, "revision");
          return new Release(
              release.path("cluster").asText(""),
              text(release, "name"),
              text(release, "namespace"),
              revision == null ? null : revision.intValue(),
              text(release, "fingerprint"));
        });
  }

  public static List<Condition> conditions(JsonNode list) {
    return each(
        list,
        condition ->
            new Condition(
                condition.path("type").asText(""),
                status(condition.path("status").asText("")),
                condition.path("reason").asText(""),
                condition.path("message").asText(""),
                Age.parse(text(condition, "lastTransitionTime")),
                number(condition, "observedGeneration")));
  }

  private static ConditionStatus status(String value) {
    return switch (value) {
      case "True" -> ConditionStatus.TRUE;
      case "False" -> ConditionStatus.FALSE;
      default -> ConditionStatus.UNKNOWN;
    };
  }

  /** As kubectl shows objects: these fields help nobody. */
  public static JsonNode withoutManagedFields(JsonNode object) {
    if (!object.path("metadata").has("managedFields")) {
      return object;
    }
    var copy = (ObjectNode) object.deepCopy();
    copy.withObjectProperty("metadata").remove("managedFields");
    return copy;
  }

  /** What becomes of each element of a list, in its order. */
  public static <T> List<T> each(JsonNode list, Function<JsonNode, T> element) {
    return list.valueStream().map(element).toList();
  }

  /** Null where it is absent. */
  public static @Nullable String text(JsonNode object, String field) {
    var value = object.path(field);
    return value.isMissingNode() || value.isNull() ? null : value.asText();
  }

  static @Nullable Long number(JsonNode object, String field) {
    var value = object.path(field);
    return value.isIntegralNumber() ? value.asLong() : null;
  }

  private static @Nullable MicroTime microTime(JsonNode object, String field) {
    var time = text(object, field);
    return time == null ? null : new MicroTime(time);
  }

  private static Map<String, String> texts(JsonNode object) {
    var texts = new LinkedHashMap<String, String>();
    object.properties().forEach(entry -> texts.put(entry.getKey(), entry.getValue().asText()));
    return texts;
  }
}
