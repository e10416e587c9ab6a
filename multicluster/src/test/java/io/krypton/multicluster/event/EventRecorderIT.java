// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.event.EventQueue.EventRateLimiter;
import io.krypton.multicluster.event.EventRecorder.EventLimits;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class EventRecorderIT {
  private static final EventSource SOURCE =
      new EventSource("tester", "example.com/tester", "tester-0");
  private static final Duration SOON = Duration.ofSeconds(30);

  /** How long a request may take. */
  private static final Duration REQUEST = Duration.ofMillis(300);

  private ControlPlane plane;
  private KubernetesClient client;
  private String namespace;
  private ConfigMap map;

  @BeforeEach
  void open(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own) {
    plane = home;
    namespace = own.name();
    client = TestClient.of(plane.adminKubeconfig());
    var wanted =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName("one")
            .endMetadata()
            .build();
    map = client.resource(wanted).create();
  }

  @AfterEach
  void close() {
    client.close();
  }

  private List<Event> events() {
    return client.v1().events().inNamespace(namespace).list().getItems();
  }

  @Test
  void an_event_says_what_kubectl_describe_shows() {
    try (var recorder = new EventRecorder(client, SOURCE)) {
      recorder.record(EventMessage.warning(map, "Broken", "it is broken"));
      await().atMost(SOON).until(() -> events().size() == 1);
      var event = events().getFirst();
      assertThat(event.getType()).isEqualTo("Warning");
      assertThat(event.getReason()).isEqualTo("Broken");
      assertThat(event.getAction()).isEqualTo("Broken");
      assertThat(event.getMessage()).isEqualTo("it is broken");
      assertThat(event.getSource().getComponent()).isEqualTo("tester");
      assertThat(event.getReportingComponent()).isEqualTo("example.com/tester");
      assertThat(event.getReportingInstance()).isEqualTo("tester-0");
      assertThat(event.getInvolvedObject().getUid()).isEqualTo(map.getMetadata().getUid());
      assertThat(event.getCount()).isEqualTo(1);
    }
  }

  @Test
  void repetitions_raise_the_count_of_the_one_event_that_is_there() {
    try (var recorder = new EventRecorder(client, SOURCE)) {
      for (var i = 0; i < 5; i++) {
        recorder.record(EventMessage.normal(map, "Done", "it is done"));
      }
      recorder.record(EventMessage.normal(map, "Done", "another thing is done"));
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(events()).extracting(Event::getCount).containsExactlyInAnyOrder(5, 1));
      assertThat(recorder.dropped()).isZero();
    }
  }

  @Test
  void an_event_that_was_deleted_meanwhile_is_written_anew() {
    try (var recorder = new EventRecorder(client, SOURCE)) {
      recorder.record(EventMessage.normal(map, "Done", "it is done"));
      await().atMost(SOON).until(() -> events().size() == 1);
      client.v1().events().inNamespace(namespace).delete();
      recorder.record(EventMessage.normal(map, "Done", "it is done"));
      await().atMost(SOON).until(() -> events().size() == 1);
      assertThat(events().getFirst().getCount()).isEqualTo(1);
    }
  }

  @Test
  void a_cluster_that_swallows_everything_costs_the_caller_nothing() {
    var small =
        new EventLimits(
            Duration.ofMinutes(10),
            1000,
            Duration.ofMinutes(1),
            REQUEST,
            10,
            EventRateLimiter.Rates.standard());
    try (var proxy = plane.proxy();
        var dead = TestClient.of(plane.adminKubeconfig(proxy));
        var recorder =
            new EventRecorder(dead, SOURCE, small, System::nanoTime, InstantSource.system())) {
      proxy.blackHole();
      var begun = System.nanoTime();
      for (var i = 0; i < 100; i++) {
        recorder.record(EventMessage.normal(map, "Done", "number " + i));
      }
      // Each of them would wait for its request.
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(REQUEST.multipliedBy(100));
      await().atMost(SOON).until(() -> recorder.dropped() == 100);
      proxy.pass();
      recorder.record(EventMessage.normal(map, "Done", "at last"));
      await().atMost(SOON).until(() -> events().size() == 1);
    }
  }
}
