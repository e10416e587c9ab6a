// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.controller.Controller.ControllerListener;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.multicluster.testing.ThreadCensus;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a controller costs a real cluster and leaves behind. */
@ExtendWith(ControlPlaneExtension.class)
class ControllerCostIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final int OBJECTS = 10;
  private final Map<String, Long> reconciled = new ConcurrentHashMap<>();
  private ControlPlane plane;
  private KubernetesClient admin;
  private String namespace;

  @BeforeEach
  void open(@Cluster("west") ControlPlane west, @Cluster("west") TestNamespace own) {
    plane = west;
    namespace = own.name();
    admin = TestClient.of(plane.adminKubeconfig());
    for (var i = 0; i < OBJECTS; i++) {
      admin.resource(deployment("object-" + i)).create();
    }
  }

  @AfterEach
  void close() {
    admin.close();
  }

  private Deployment deployment(String name) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withReplicas(0)
        .withNewSelector()
        .addToMatchLabels("app", name)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .addToLabels("app", name)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  private InformerCache<Deployment> cacheOn(KubernetesClient client) {
    return new InformerCache<>(
        "faults/deployments", client.apps().deployments().inNamespace(namespace));
  }

  /** A running controller, when it has seen all objects. */
  private Controller controllerOn(InformerCache<Deployment> cache) throws InterruptedException {
    var controller = newController(cache);
    cache.start();
    controller.attach("faults", List.of(ControllerWatch.of(cache)));
    controller.resume(() -> true);
    awaitLastGenerations();
    return controller;
  }

  /** Remembers the generation it saw; fails every fifth time, as real work does. */
  private Controller newController(InformerCache<Deployment> cache) {
    return new Controller(
        "deployments",
        new ConcurrencyLimits(4, 4),
        new Backoff(Duration.ofMillis(20), 2, Duration.ofMillis(500), 0.2),
        request -> {
          var object = cache.get(namespace, request.key().name());
          if (object.isPresent()) {
            var generation = object.get().getMetadata().getGeneration();
            if (generation % 5 == 0 && request.failures() == 0) {
              return ReconcileResult.retry("Unlucky", "every fifth generation fails once");
            }
            reconciled.put(request.key().name(), generation);
          }
          return ReconcileResult.done();
        },
        ControllerListener.none());
  }

  private Map<String, Long> lastGenerations() {
    return admin.apps().deployments().inNamespace(namespace).list().getItems().stream()
        .collect(
            Collectors.toMap(
                object -> object.getMetadata().getName(),
                object -> object.getMetadata().getGeneration()));
  }

  @Test
  void a_detached_cluster_leaves_no_thread() throws Exception {
    var before = ThreadCensus.take();
    for (var i = 0; i < 5; i++) {
      try (var client = TestClient.of(plane.adminKubeconfig());
          var cache = cacheOn(client)) {
        var controller = controllerOn(cache);
        controller.detach("faults", Duration.ofSeconds(2));
        assertThat(controller.stop(Duration.ofSeconds(2))).isTrue();
      }
    }
    await().atMost(SOON).untilAsserted(() -> assertThat(grown(before)).isEmpty());
  }

  private void awaitLastGenerations() {
    await().atMost(SOON).untilAsserted(() -> assertThat(reconciled).isEqualTo(lastGenerations()));
  }

  private static Map<String, Long> grown(List<String> before) throws Exception {
    var counts = counts(ThreadCensus.take());
    counts(before).forEach((name, count) -> counts.merge(name, -count, Long::sum));
    counts.values().removeIf(count -> count <= 0);
    return counts;
  }

  /** Without those of the test itself: our clients have no platform threads as workers. */
  private static Map<String, Long> counts(List<String> names) {
    return names.stream()
        .filter(name -> !name.matches("awaitility-thread|HttpClient-\\d+-Worker-\\d+"))
        .map(name -> name.replaceAll("\\d+", "N"))
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  @Test
  void idle_objects_cost_no_request() throws Exception {
    try (var client = TestClient.of(plane.kubeconfigFor("idler", "system:masters"));
        var cache = cacheOn(client)) {
      var controller = controllerOn(cache);
      // The objects may be known before the watch has begun.
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                var mark = plane.audit().mark();
                await()
                    .during(Duration.ofSeconds(3))
                    .until(() -> controller.state().running() == 0);
                assertThat(plane.audit().since(mark).by("idler").size()).isZero();
              });
      controller.stop(Duration.ZERO);
    }
  }
}
