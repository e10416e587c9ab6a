// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.base.text.Rfc1123;
import io.krypton.multicluster.client.ApiWriter;
import io.krypton.multicluster.client.ApiWriter.PatchFormat;
import io.krypton.multicluster.client.SingleAttempt;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** The two calls that events need, each tried once and within the timeout. */
final class EventSink {
  private static final String PATH = "api/v1/namespaces/%s/events";

  private final ApiWriter api;
  private final EventSource source;

  EventSink(KubernetesClient client, EventSource source, Duration timeout) {
    this.api = new ApiWriter(SingleAttempt.of(client, timeout), timeout);
    this.source = source;
  }

  /** Returns the name of the new event. */
  String create(EventMessage eventMessage, Instant since) {
    var name = newName(eventMessage.regarding().getName());
    api.create(
        PATH.formatted(eventMessage.namespace()),
        toEvent(eventMessage, name, seconds(since)).toString());
    return name;
  }

  /** False if that event is no longer there. */
  boolean increment(String namespace, String event, int count, Instant since) {
    var patch = "{\"count\": %d, \"lastTimestamp\": \"%s\"}".formatted(count, seconds(since));
    try {
      var _ = api.patch(PATH.formatted(namespace) + "/" + event, PatchFormat.MERGE, patch);
      return true;
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      throw refused;
    }
  }

  private ObjectNode toEvent(EventMessage eventMessage, String name, String since) {
    var event = JsonNodeFactory.instance.objectNode();
    event.put("apiVersion", "v1").put("kind", "Event");
    event.putObject("metadata").put("namespace", eventMessage.namespace()).put("name", name);
    event.set("involvedObject", reference(eventMessage.regarding()));
    event
        .put("type", eventMessage.type().name())
        .put("reason", eventMessage.reason())
        .put("action", eventMessage.action())
        .put("message", eventMessage.message())
        .put("count", 1)
        .put("firstTimestamp", since)
        .put("lastTimestamp", since)
        .put("reportingComponent", source.reportingController())
        .put("reportingInstance", source.reportingInstance());
    event.putObject("source").put("component", source.component());
    return event;
  }

  private static ObjectNode reference(ObjectReference regarding) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("apiVersion", regarding.getApiVersion())
        .put("kind", regarding.getKind())
        .put("namespace", regarding.getNamespace())
        .put("name", regarding.getName())
        .put("uid", regarding.getUid())
        .put("resourceVersion", regarding.getResourceVersion());
  }

  private static String newName(String object) {
    var suffix = "." + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    var most = Rfc1123.MAX_SUBDOMAIN - suffix.length();
    return (object.length() > most ? object.substring(0, most) : object) + suffix;
  }

  private static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
