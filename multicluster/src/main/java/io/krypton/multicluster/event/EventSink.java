// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.krypton.base.text.Rfc1123;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** The two calls that events need, each tried once and within the timeout. */
final class EventSink {
  private final KubernetesClient client;
  private final EventSource source;

  EventSink(KubernetesClient client, EventSource source, Duration timeout) {
    var quick =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout((int) timeout.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    this.client = client.newClient(quick).adapt(KubernetesClient.class);
    this.source = source;
  }

  /** Returns the name of the new event. */
  String create(EventMessage eventMessage, Instant since) {
    var event = toEvent(eventMessage, seconds(since));
    client.resource(event).create();
    return event.getMetadata().getName();
  }

  /** False if that event is no longer there. */
  boolean increment(String namespace, String event, int count, Instant since) {
    var patch = "{\"count\": %d, \"lastTimestamp\": \"%s\"}".formatted(count, seconds(since));
    try {
      client
          .v1()
          .events()
          .inNamespace(namespace)
          .withName(event)
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
      return true;
    } catch (KubernetesClientException refused) {
      if (refused.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      throw refused;
    }
  }

  private Event toEvent(EventMessage eventMessage, String since) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(eventMessage.namespace())
        .withName(newName(eventMessage.regarding().getName()))
        .endMetadata()
        .withInvolvedObject(eventMessage.regarding())
        .withType(eventMessage.type().name())
        .withReason(eventMessage.reason())
        .withAction(eventMessage.action())
        .withMessage(eventMessage.message())
        .withCount(1)
        .withFirstTimestamp(since)
        .withLastTimestamp(since)
        .withNewSource()
        .withComponent(source.component())
        .endSource()
        .withReportingComponent(source.reportingController())
        .withReportingInstance(source.reportingInstance())
        .build();
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
