// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** Registry and discovery on a real home cluster; every engaged cluster has one real watch. */
public final class Fleet implements AutoCloseable {
  public static final String LABEL = "example.test/kubeconfig";
  public static final String KEY = "kubeconfig";

  private final String namespace;
  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final ClientFactory clients = new ClientFactory(this::count);
  private final ClusterConnection home;
  private final RecordedEvents events = new RecordedEvents();
  private final ClusterRegistry registry;
  private final ClusterProvider discovery;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  public Fleet(TestNamespace homeNamespace) {
    this(homeNamespace, HealthCheckTimings.standard());
  }

  Fleet(TestNamespace homeNamespace, HealthCheckTimings healthCheckTimings) {
    this(homeNamespace, healthCheckTimings, Optional.empty(), event -> {});
  }

  /** A fleet whose clusters are prepared by that step instead of a plain watch. */
  public Fleet(
      TestNamespace homeNamespace,
      HealthCheckTimings healthCheckTimings,
      EngageStep step,
      Consumer<ClusterEvent> listener) {
    this(homeNamespace, healthCheckTimings, Optional.of(step), listener);
  }

  private Fleet(
      TestNamespace homeNamespace,
      HealthCheckTimings healthCheckTimings,
      Optional<EngageStep> step,
      Consumer<ClusterEvent> listener) {
    namespace = homeNamespace.name();
    home = connect(homeNamespace.controlPlane());
    var settings = ClientSettings.remote("fleet-test");
    registry =
        new ClusterRegistry(
            namespace,
            clients,
            settings,
            healthCheckTimings,
            List.of(step.orElse(this::watchConfigMaps)),
            event -> {
              listener.accept(event);
              events.on(event);
            },
            LiveTokens.none(),
            Clock.systemUTC());
    discovery = new ClusterProvider(registry, new DiscoverySettings(namespace, LABEL, KEY));
    discovery.attach(home.client());
  }

  private void count(String cluster, String verb, int code) {
    requests.computeIfAbsent(cluster, unknown -> new LongAdder()).increment();
  }

  /** How many requests have left for a cluster, answered or not. */
  public long requests(String cluster) {
    return requests.getOrDefault(cluster, new LongAdder()).sum();
  }

  private ClusterConnection connect(ControlPlane plane) {
    var kubeconfig = plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8);
    return clients.connect(
        "home",
        (ParsedKubeconfig.Accepted) ParsedKubeconfig.parse(kubeconfig),
        ClientSettings.remote("fleet-test").withoutRetries());
  }

  /** Both kinds of cache, as controllers would have them. */
  private EngageStep.Result watchConfigMaps(EngagedCluster engagedCluster)
      throws InterruptedException {
    var maps = engagedCluster.client().configMaps().inNamespace("default");
    follow(engagedCluster, new InformerCache<>(engagedCluster.name() + "/maps", maps), "whole");
    var selection =
        MetadataSelection.of(ResourceDefinitionContext.fromResourceType(ConfigMap.class))
            .inNamespace("default");
    var metadata =
        new MetadataCache(
            engagedCluster.name() + "/metadata", engagedCluster.client(), selection, Map.of());
    follow(engagedCluster, metadata, "metadata");
    return new EngageStep.Result.Done();
  }

  private <T extends HasMetadata> void follow(
      EngagedCluster engagedCluster, ObjectCache<T> cache, String kind)
      throws InterruptedException {
    engagedCluster.own(cache);
    cache.subscribe(
        (before, after) -> {
          if (after != null) {
            seen.add(
                "%s:%s:%s".formatted(kind, engagedCluster.name(), after.getMetadata().getName()));
          }
        });
    cache.start();
    if (!cache.awaitSync(Duration.ofSeconds(20))) {
      throw new IllegalStateException("not synced: " + cache.failure());
    }
  }

  /** Whether every watch of the cluster has reported that ConfigMap. */
  boolean hasSeen(String cluster, String configMap) {
    return seen.contains("whole:%s:%s".formatted(cluster, configMap))
        && seen.contains("metadata:%s:%s".formatted(cluster, configMap));
  }

  public KubernetesClient home() {
    return home.client();
  }

  public RecordedEvents events() {
    return events;
  }

  public ClusterRegistry registry() {
    return registry;
  }

  public ClusterProvider discovery() {
    return discovery;
  }

  public SecretRef ref(String secret) {
    return new SecretRef(namespace, secret);
  }

  /** Stores a kubeconfig; the label makes it discoverable. */
  public void store(String secret, String kubeconfig, boolean labelled) {
    var encoded = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
    home()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(secret)
                .withLabels(labelled ? Map.of(LABEL, "true") : Map.of())
                .endMetadata()
                .withData(Map.of(KEY, encoded))
                .build())
        .createOr(NonDeletingOperation::update);
  }

  public void label(String secret, String value) {
    home()
        .secrets()
        .inNamespace(namespace)
        .withName(secret)
        .edit(
            found ->
                new SecretBuilder(found)
                    .editMetadata()
                    .addToLabels(LABEL, value)
                    .endMetadata()
                    .build());
  }

  public void delete(String secret) {
    home().secrets().inNamespace(namespace).withName(secret).delete();
  }

  @Override
  public void close() {
    discovery.close();
    registry.close();
    home.close();
    clients.close();
  }
}
