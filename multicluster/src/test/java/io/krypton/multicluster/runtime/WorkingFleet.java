// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.runtime;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.base.time.Backoff;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.cluster.Fleet;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.Controller.ControllerListener;
import io.krypton.multicluster.controller.ControllerWatch;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * A controller on clusters that come and go: whenever a ConfigMap of a {@link Workload} changes, it
 * is read from its cluster and the version found there is noted.
 */
final class WorkingFleet implements AutoCloseable {
  /** As the standard ones, with more frequent probes of healthy clusters. */
  static final HealthCheckTimings WATCHFUL =
      new HealthCheckTimings(
          Duration.ofSeconds(3),
          Duration.ofSeconds(1),
          HealthCheckTimings.standard().recoveryInterval(),
          HealthCheckTimings.standard().probeTimeout(),
          HealthCheckTimings.standard().connectTimeout(),
          HealthCheckTimings.standard().maxBackoffWhenRefused(),
          HealthCheckTimings.standard().maxBackoffWhenNotPrepared());

  /** One successful run; {@code by} is the client that made it. */
  record Run(String cluster, String name, long version, KubernetesClient by, long atNanos) {}

  /** A cluster with both kinds of cache; only the first one enqueues keys. */
  private record Member(
      KubernetesClient client, InformerCache<ConfigMap> cache, MetadataCache metadata) {}

  private final Map<String, Workload> workloads = new ConcurrentHashMap<>();
  private final Map<String, Member> members = new ConcurrentHashMap<>();
  private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
  private final Controller controller =
      new Controller(
          "maps",
          new ConcurrencyLimits(32, 16),
          new Backoff(Duration.ofMillis(50), 2, Duration.ofSeconds(1), 0.2),
          this::reconcile,
          ControllerListener.none());
  private final Fleet fleet;

  WorkingFleet(TestNamespace home) {
    fleet = new Fleet(home, WATCHFUL, this::follow, this::on);
    controller.resume(() -> true);
  }

  Fleet fleet() {
    return fleet;
  }

  /** The objects that belong to a cluster of that name, whenever it is engaged. */
  Workload workload(String cluster, TestNamespace namespace, int objects) {
    var workload = new Workload(namespace, objects);
    workloads.put(cluster, workload);
    return workload;
  }

  private EngageStep.Result follow(EngagedCluster engagedCluster) throws InterruptedException {
    var name = engagedCluster.name().value();
    var namespace = workloadOf(name).namespace();
    var maps =
        engagedCluster.client().configMaps().inNamespace(namespace).withLabel(Workload.LABEL);
    var cache = new InformerCache<>(name + "/maps", maps);
    var selection =
        MetadataSelection.of(ResourceDefinitionContext.fromResourceType(ConfigMap.class))
            .inNamespace(namespace)
            .withLabels(Workload.LABEL);
    var metadata =
        new MetadataCache(name + "/metadata", engagedCluster.client(), selection, Map.of());
    start(engagedCluster, cache);
    start(engagedCluster, metadata);
    members.put(name, new Member(engagedCluster.client(), cache, metadata));
    engagedCluster.own(() -> controller.detach(name, Duration.ofSeconds(1)));
    controller.attach(name, List.of(ControllerWatch.of(cache)));
    return new EngageStep.Result.Done();
  }

  private static void start(EngagedCluster engagedCluster, ObjectCache<?> cache)
      throws InterruptedException {
    engagedCluster.own(cache);
    cache.start();
    if (!cache.awaitSync(Duration.ofSeconds(20))) {
      throw new IllegalStateException("not synced: " + cache.failure());
    }
  }

  private void on(ClusterEvent event) {
    var name = event.name().value();
    switch (event) {
      case ClusterEvent.Unreachable lost -> controller.park(name);
      case ClusterEvent.Recovered back -> {
        memberOf(name).cache().reconnect();
        memberOf(name).metadata().reconnect();
        controller.unpark(name);
      }
      default -> {}
    }
  }

  private ReconcileResult reconcile(Request request) {
    var key = request.key();
    var member = memberOf(key.cluster());
    if (member.cache().get(key.namespace(), key.name()).isPresent()) {
      var found =
          member.client().configMaps().inNamespace(key.namespace()).withName(key.name()).get();
      runs.add(
          new Run(
              key.cluster(),
              key.name(),
              Workload.versionOf(found),
              member.client(),
              System.nanoTime()));
    }
    return ReconcileResult.done();
  }

  /** Makes a run for each object due now. */
  void wakeAll(String cluster) {
    var workload = workloadOf(cluster);
    workload
        .names()
        .forEach(name -> controller.enqueue(new WorkKey(cluster, workload.namespace(), name)));
  }

  private Workload workloadOf(String cluster) {
    return Objects.requireNonNull(workloads.get(cluster), cluster);
  }

  private Member memberOf(String cluster) {
    return Objects.requireNonNull(members.get(cluster), cluster);
  }

  List<Run> runs(String cluster) {
    return runs.stream().filter(run -> run.cluster().equals(cluster)).toList();
  }

  /** Whether each object of a cluster has been reconciled as it is now, and all caches agree. */
  boolean isUpToDate(String cluster) {
    var member = members.get(cluster);
    var workload = workloadOf(cluster);
    var last = new HashMap<String, Long>();
    runs(cluster).forEach(run -> last.merge(run.name(), run.version(), Math::max));
    return member != null
        && last.equals(workload.versions())
        && resourceVersions(member.cache().list()).equals(workload.resourceVersions())
        && resourceVersions(member.metadata().list()).equals(workload.resourceVersions());
  }

  private static Map<String, String> resourceVersions(List<? extends HasMetadata> objects) {
    return objects.stream()
        .map(HasMetadata::getMetadata)
        .collect(Collectors.toMap(ObjectMeta::getName, ObjectMeta::getResourceVersion));
  }

  Controller controller() {
    return controller;
  }

  @Override
  public void close() {
    try {
      controller.stop(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    fleet.close();
  }
}
