package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.cluster.discovery.ClusterDiscovery;
import io.krypton.multicluster.cluster.discovery.DiscoverySettings;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.multicluster.watch.MetadataCache;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.ObjectCache;
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
  private final ClusterDiscovery discovery;
  private final Set<String> seen = ConcurrentHashMap.newKeySet();

  public Fleet(TestNamespace homeNamespace) {
    this(homeNamespace, Pace.standard());
  }

  Fleet(TestNamespace homeNamespace, Pace pace) {
    this(homeNamespace, pace, Optional.empty(), event -> {});
  }

  /** A fleet whose clusters are prepared by that step instead of a plain watch. */
  public Fleet(TestNamespace homeNamespace, Pace pace, EngageStep step, ClusterListener alsoTold) {
    this(homeNamespace, pace, Optional.of(step), alsoTold);
  }

  private Fleet(
      TestNamespace homeNamespace, Pace pace, Optional<EngageStep> step, ClusterListener alsoTold) {
    namespace = homeNamespace.name();
    home = connect(homeNamespace.controlPlane());
    var settings = ClientSettings.remote("fleet-test");
    registry =
        new ClusterRegistry(
            namespace,
            clients,
            settings,
            pace,
            List.of(step.orElse(this::watchConfigMaps)),
            event -> {
              alsoTold.on(event);
              events.on(event);
            },
            LiveTokens.none(),
            Clock.systemUTC());
    discovery = new ClusterDiscovery(registry, new DiscoverySettings(namespace, LABEL, KEY));
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
        (Kubeconfig.Accepted) Kubeconfig.parse(kubeconfig),
        ClientSettings.remote("fleet-test").withoutRetries());
  }

  /** Both kinds of cache, as controllers would have them. */
  private EngageStep.Result watchConfigMaps(Cluster cluster) throws InterruptedException {
    var maps = cluster.client().configMaps().inNamespace("default");
    follow(cluster, new InformerCache<>(cluster.name() + "/maps", maps), "whole");
    var selection =
        MetadataSelection.of(ResourceDefinitionContext.fromResourceType(ConfigMap.class))
            .inNamespace("default");
    var metadata =
        new MetadataCache(cluster.name() + "/metadata", cluster.client(), selection, Map.of());
    follow(cluster, metadata, "metadata");
    return new EngageStep.Result.Done();
  }

  private <T extends HasMetadata> void follow(Cluster cluster, ObjectCache<T> cache, String kind)
      throws InterruptedException {
    cluster.own(cache);
    cache.subscribe(
        (before, after) -> {
          if (after != null) {
            seen.add("%s:%s:%s".formatted(kind, cluster.name(), after.getMetadata().getName()));
          }
        });
    cache.start();
    if (!cache.awaitSync(Duration.ofSeconds(20))) {
      throw new IllegalStateException("not synced: " + cache.failure());
    }
  }

  /** Whether every watch of the cluster has told of that ConfigMap. */
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

  public ClusterDiscovery discovery() {
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
