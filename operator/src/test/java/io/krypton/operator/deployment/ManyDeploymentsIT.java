// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.api.Crds;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.namespace.OwnerLookup.AllKinds;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.ChartAccess;
import io.krypton.operator.release.HelmActions;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.SingleRevision;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutSettings;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.chart.ChartStore.ChartListener;
import io.krypton.operator.release.chart.ChartStore.RetryBackoff;
import io.krypton.operator.release.helm.StoringHelm;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.StreamProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Regions by the hundreds, half of them without a Secret, on one home cluster. */
@ExtendWith(ControlPlaneExtension.class)
class ManyDeploymentsIT {
  private static final int MANY = Integer.getInteger("deployments.many", 100);

  private static final ChartRef CHART = ChartRef.of("/charts", "web", "1.2.3");

  private static final int ALLOWED_STREAMS = 100;

  /** How many of each kind a failure shows. */
  private static final int REPORTED = 10;

  /**
   * A busy machine may be slow to answer; what fails for want of streams fails at once. Nothing is
   * given up sooner: a hundred clusters that begin anew before they are done would never be done.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final HealthCheckTimings PATIENT =
      new HealthCheckTimings(
          HealthCheckTimings.standard().probeInterval(),
          HealthCheckTimings.standard().retryInterval(),
          HealthCheckTimings.standard().recoveryInterval(),
          PATIENCE,
          PATIENCE,
          HealthCheckTimings.standard().maxBackoffWhenRefused(),
          HealthCheckTimings.standard().maxBackoffWhenNotPrepared());

  /** An idle machine needs half a minute. More than this would only make a failure late. */
  private static final Duration LIMIT = Duration.ofMinutes(5);

  private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  private final ClientFactory clients = new ClientFactory(this::count);
  private final List<ClusterEvent> clusterEvents = new CopyOnWriteArrayList<>();
  @TempDir private Path directory;
  private ControlPlane plane;
  private StreamProxy proxy;
  private StoringHelm helm;
  private ClusterConnection home;
  private KubernetesClient client;
  private String namespace;
  private ClusterRegistry registry;
  private ClusterProvider discovery;
  private EventRecorder events;
  private ChartStore charts;
  private ChartAccess chartAccess;
  private DeploymentController controller;
  private volatile List<KryptonDeployment> listed = List.of();
  private volatile Instant asked = Instant.EPOCH;
  private volatile Instant answered = Instant.EPOCH;

  @BeforeEach
  void open(@Cluster("home") ControlPlane own, @Cluster("home") TestNamespace place)
      throws IOException {
    plane = own;
    namespace = place.name();
    proxy = plane.streamProxy("many", "system:masters");
    home =
        clients.connect(
            "home",
            (ParsedKubeconfig.Accepted)
                ParsedKubeconfig.parse(kubeconfig().getBytes(StandardCharsets.UTF_8)),
            ClientSettings.remote("test")
                .withoutRetries()
                .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(60))
                .withRate(2000, 2000));
    client = home.client();
    helm = new StoringHelm(client);
    var archive = Files.writeString(directory.resolve("web.tgz"), "chart");
    charts =
        new ChartStore(
            ref -> new ChartResult.Loaded(archive, "abc", "1.2.3", Set.of()),
            RetryBackoff.standard(),
            new ChartListener() {
              @Override
              public void changed(ChartRef chart, ChartResult result) {
                wakeAllThatWaitFor(chart);
              }
            });
    chartAccess = new ChartAccess(charts);
    client.resource(Crds.kryptonDeployment()).forceConflicts().serverSideApply();
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(
            () -> client.resources(KryptonDeployment.class).inNamespace(namespace).list() != null);
    registry =
        new ClusterRegistry(
            namespace,
            clients,
            ClientSettings.remote("test").withTimeouts(PATIENCE, PATIENCE),
            PATIENT,
            List.of(),
            event -> {
              clusterEvents.add(event);
              controller.on(event);
            },
            LiveTokens.none(),
            Clock.systemUTC());
    discovery =
        new ClusterProvider(registry, new DiscoverySettings(namespace, "label", "kubeconfig"));
    events = new EventRecorder(client, new EventSource("test", "test/test", "test"));
    controller = controller();
  }

  private String kubeconfig() {
    return plane.access("many", "system:masters").via(proxy.url()).yaml();
  }

  private void wakeAllThatWaitFor(ChartRef chart) {
    chartAccess.drainWaiters(chart).forEach(waiter -> controller.chartChanged(waiter, true));
  }

  private DeploymentController controller() {
    var clock = Clock.systemUTC();
    var deployed = new InventoryInspector();
    var regionRouting = new RegionRouting(namespace, "kubeconfig");
    var regionClusters = new RegionClusters(registry, discovery, deployed, regionRouting);
    var reserved = new ReservedNamespaces(Set.of());
    var settings =
        new DeploymentSettings(
            Set.of(namespace),
            regionRouting,
            "label",
            DefaultValue.oneReplica(),
            reserved,
            false,
            Duration.ofMinutes(10),
            new ConcurrencyLimits(32, 16),
            true);
    var rolloutSettings =
        new RolloutSettings(
            "test",
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            RolloutSettings.DriftMode.IGNORE,
            false,
            false);
    var owners = new AllKinds();
    var listener =
        new ReconcileMetricsListener() {
          @Override
          public void reconciled(String cluster, Result result) {}

          @Override
          public void ran(String cluster, Duration took) {}
        };
    return new DeploymentController(
        settings,
        regionClusters,
        helm::stop,
        listener,
        made ->
            new DeploymentReconciler(
                made,
                regionClusters,
                new SingleRevision(new ReleaseRevision(CHART, ChartValues.empty())),
                new Rollout(
                    chartAccess,
                    owners,
                    deployed,
                    new HelmActions(
                        helm, rolloutSettings, RolloutMetricsListener.NONE, nobody -> {}),
                    rolloutSettings,
                    clock,
                    RolloutMetricsListener.NONE),
                new DeploymentCleanup(
                    new ReleaseUninstaller(
                        helm,
                        deployed,
                        reserved,
                        Duration.ofMinutes(1),
                        owners,
                        clock,
                        nobody -> {}),
                    settings),
                settings,
                listener,
                clock,
                never -> {}));
  }

  @AfterEach
  void close() throws Exception {
    controller.controller().stop(Duration.ZERO);
    controller.close();
    discovery.close();
    registry.close();
    events.close();
    charts.close();
    removeFinalizers();
    home.close();
    clients.close();
    proxy.close();
  }

  /** So that the namespace can end. */
  private void removeFinalizers() {
    for (var deployment :
        client.resources(KryptonDeployment.class).inNamespace(namespace).list().getItems()) {
      client
          .resource(deployment)
          .edit(
              it -> {
                it.getMetadata().setFinalizers(List.of());
                return it;
              });
    }
  }

  private void count(String cluster, String verb, int code) {
    var what = code == RequestObserver.NO_ANSWER ? "unanswered" : verb;
    requests.computeIfAbsent(what, first -> new LongAdder()).increment();
    requests
        .computeIfAbsent(
            what + (cluster.equals("home") ? " on home" : " elsewhere"), first -> new LongAdder())
        .increment();
  }

  private long requests(String what) {
    return requests.getOrDefault(what, new LongAdder()).sum();
  }

  private void create(int number, @Nullable String kubeconfig) {
    var raw =
        """
        apiVersion: mesh.openkcm.io/v1alpha1
        kind: KryptonDeployment
        metadata: {name: %s-%d, namespace: %s}
        spec:
          account: {name: acme}
          region: {name: region-%d}
        """
            .formatted(namespace, number, namespace, number);
    client
        .genericKubernetesResources(
            ResourceDefinitionContext.fromResourceType(KryptonDeployment.class))
        .inNamespace(namespace)
        .load(new ByteArrayInputStream(raw.getBytes(StandardCharsets.UTF_8)))
        .create();
    if (kubeconfig != null) {
      client
          .resource(
              new SecretBuilder()
                  .withNewMetadata()
                  .withNamespace(namespace)
                  .withName("region-" + number + "-kubeconfig")
                  .endMetadata()
                  .addToStringData("kubeconfig", kubeconfig)
                  .build())
          .create();
    }
  }

  private void awaitSaying(String text, int wanted) {
    try {
      await().atMost(LIMIT).until(() -> saying(text) == wanted);
    } catch (ConditionTimeoutException late) {
      throw new AssertionError(report(text), late);
    }
  }

  private long saying(String text) {
    asked = Instant.now();
    listed = client.resources(KryptonDeployment.class).inNamespace(namespace).list().getItems();
    answered = Instant.now();
    return listed.stream().filter(it -> says(it, text)).count();
  }

  private static boolean says(KryptonDeployment deployment, String text) {
    return deployment.getStatus().conditions().stream()
        .anyMatch(condition -> condition.message().contains(text));
  }

  /** All that tells why some do not say it; nothing of it asks a server that may be what hangs. */
  private String report(String text) {
    var others = listed.stream().filter(it -> !says(it, text)).toList();
    var lines = new ArrayList<String>();
    lines.add("%d of %d do not say: %s".formatted(others.size(), listed.size(), text));
    lines.add("asked last at %s, answered last at %s".formatted(asked, answered));
    lines.add("queue: " + controller.controller().state());
    lines.add("Helm: %d operations, requests: %s".formatted(helm.operations(), requests));
    lines.add(
        "proxy: %d connections, at most %d streams on one, %d open"
            .formatted(proxy.connections(), proxy.peakStreams(), proxy.openStreams()));
    others.stream()
        .limit(REPORTED)
        .forEach(it -> lines.add(it.getMetadata().getName() + ": " + it.getStatus()));
    registry.clusters().stream()
        .filter(it -> !it.isUp())
        .limit(REPORTED)
        .forEach(it -> lines.add("not up: " + it));
    clusterEvents.stream()
        .filter(ClusterEvent.Unreachable.class::isInstance)
        .limit(REPORTED)
        .forEach(it -> lines.add(it.toString()));
    lines.add(threads());
    return String.join("\n", lines);
  }

  /** Where our threads are, most common first; jstack does not show virtual ones. */
  private String threads() {
    var dump = directory.resolve("threads.txt");
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
      var stacks = new TreeMap<String, Integer>();
      for (var thread : Files.readString(dump).split("\n\n")) {
        var frames = thread.lines().filter(it -> it.startsWith("    at ")).toList();
        if (frames.stream().anyMatch(it -> it.contains("io.krypton"))) {
          stacks.merge(String.join("\n", frames), 1, Integer::sum);
        }
      }
      return stacks.entrySet().stream()
          .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
          .map(it -> it.getValue() + " threads are\n" + it.getKey())
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void each_is_decided_with_a_handful_of_watches_and_nobody_waits_for_a_secret() {
    for (int i = 0; i < MANY; i++) {
      create(i, i % 2 == 0 ? "{}" : null);
    }
    begin();

    awaitSaying("does not exist on the home cluster", MANY / 2);
    awaitSaying("-kubeconfig: ", MANY / 2);
    // Deployments, labelled Secrets, Secrets by name: whatever the number of regions.
    assertThat(requests("WATCH")).isLessThanOrEqualTo(3);
    assertThat(requests("unanswered")).isZero();
    // Each Secret at most twice, and none of those that are known to be missing again and again.
    assertThat(requests("GET")).isLessThan(3L * MANY);
    assertThat(helm.operations()).isZero();
  }

  private void begin() {
    requests.clear();
    discovery.attach(client);
    controller.attach(client, events);
    controller.controller().resume(() -> true);
  }

  @Test
  void unlabelled_regions_are_all_ready_with_few_streams_on_each_connection() {
    for (int i = 0; i < MANY; i++) {
      create(i, kubeconfig());
    }
    begin();

    awaitSaying("Successfully deployed to region", MANY);
    System.out.printf(
        "%d regions: at most %d streams on each of %d connections, %d open, %s%n",
        MANY, proxy.peakStreams(), proxy.connections(), proxy.openStreams(), requests);
    assertThat(helm.operations()).isEqualTo(MANY);
    assertThat(proxy.peakStreams()).isPositive().isLessThan(ALLOWED_STREAMS);
    assertThat(clusterEvents).noneMatch(ClusterEvent.Unreachable.class::isInstance);
    assertThat(requests("WATCH on home")).isLessThanOrEqualTo(3);
  }
}
