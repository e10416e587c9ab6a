// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup.AllKinds;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.ChartAccess;
import io.krypton.operator.release.HelmActions;
import io.krypton.operator.release.ReleaseChanges;
import io.krypton.operator.release.ReleaseInspector;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.SingleRevision;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutSettings;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.chart.ChartStore.ChartListener;
import io.krypton.operator.release.chart.ChartStore.RetryBackoff;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.helm.StoringHelm;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** One life of the operator, as far as Tenants are concerned. */
final class TenantLife implements AutoCloseable {
  static final String CLUSTER = "edge";
  private static final ChartRef CHART = ChartRef.of("/charts", "web", "1.2.3");
  private static final Set<String> READS = Set.of("GET", "WATCH", "unanswered");

  /** A busy machine may be slow to answer; what fails for want of streams fails at once. */
  private static final HealthCheckTimings PATIENT =
      new HealthCheckTimings(
          HealthCheckTimings.standard().probeInterval(),
          HealthCheckTimings.standard().retryInterval(),
          HealthCheckTimings.standard().recoveryInterval(),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          HealthCheckTimings.standard().maxBackoffWhenRefused(),
          HealthCheckTimings.standard().maxBackoffWhenNotPrepared());

  final StoringHelm helm;
  final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  final AtomicInteger runs = new AtomicInteger();

  /** What became of the cluster. */
  final List<ClusterEvent> events = new CopyOnWriteArrayList<>();

  private final InventoryInspector deployed = new InventoryInspector();
  final NotingInspector inspector = new NotingInspector(deployed);
  private final ClientFactory own = new ClientFactory(this::count);
  private final ChartStore charts;
  private final ChartAccess chartAccess;
  private final TenantController controller;
  private final ClusterRegistry registry;

  /**
   * Begins at once.
   *
   * @param admin writes what Helm would
   * @param namespaces whose Tenants are looked after; none means all
   */
  TenantLife(
      KubernetesClient admin,
      ParsedKubeconfig.Accepted access,
      Path archive,
      Set<String> namespaces) {
    this(admin, access, archive, namespaces, Duration.ofSeconds(30));
  }

  /**
   * As the other one.
   *
   * @param afterDelay runs what is due when a step has lasted for a while
   */
  TenantLife(
      KubernetesClient admin,
      ParsedKubeconfig.Accepted access,
      Path archive,
      Set<String> namespaces,
      Executor afterDelay) {
    this(admin, access, archive, namespaces, Duration.ofSeconds(30), afterDelay);
  }

  /**
   * As the other one.
   *
   * @param syncLimit how long one try to engage waits for the first lists
   */
  TenantLife(
      KubernetesClient admin,
      ParsedKubeconfig.Accepted access,
      Path archive,
      Set<String> namespaces,
      Duration syncLimit) {
    this(admin, access, archive, namespaces, syncLimit, never -> {});
  }

  private TenantLife(
      KubernetesClient admin,
      ParsedKubeconfig.Accepted access,
      Path archive,
      Set<String> namespaces,
      Duration syncLimit,
      Executor afterDelay) {
    helm = new StoringHelm(admin);
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
    controller = controller(namespaces, syncLimit, afterDelay);
    registry =
        new ClusterRegistry(
            "home",
            own,
            fast(),
            PATIENT,
            List.of(controller),
            event -> {
              events.add(event);
              controller.on(event);
            },
            LiveTokens.none(),
            Clock.systemUTC());
    registry.engage(
        new SecretRef("home", CLUSTER), SecretContent.of("kubeconfig", access.toYaml()));
    controller.controller().resume(() -> true);
  }

  static ClientSettings fast() {
    return ClientSettings.remote("test").withoutRetries().withRate(5000, 5000);
  }

  private void wakeAllThatWaitFor(ChartRef chart) {
    chartAccess.drainWaiters(chart).forEach(waiter -> controller.chartChanged(waiter, true));
  }

  private void count(String cluster, String verb, int code) {
    var what = code == RequestObserver.NO_ANSWER ? "unanswered" : verb;
    requests.computeIfAbsent(what, first -> new LongAdder()).increment();
  }

  private TenantController controller(
      Set<String> namespaces, Duration syncLimit, Executor afterDelay) {
    var clock = Clock.systemUTC();
    var settings =
        new RolloutSettings(
            "test",
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            RolloutSettings.DriftMode.REPAIR,
            false,
            false);
    var reserved = new ReservedNamespaces(Set.of());
    var owners = new AllKinds();
    var listener =
        new ReconcileMetricsListener() {
          @Override
          public void reconciled(String cluster, Result result) {}

          @Override
          public void ran(String cluster, Duration took) {
            runs.incrementAndGet();
          }
        };
    var made =
        new TenantController(
            new ConcurrencyLimits(32, 32),
            deployed,
            TenantController.eventSource("test"),
            listener,
            syncLimit,
            tenants ->
                new TenantReconciler(
                    tenants,
                    new SingleRevision(new ReleaseRevision(CHART, ChartValues.empty())),
                    new Rollout(
                        chartAccess,
                        owners,
                        inspector,
                        new HelmActions(helm, settings, RolloutMetricsListener.NONE, nobody -> {}),
                        settings,
                        clock,
                        RolloutMetricsListener.NONE),
                    new TenantCleanup(
                        new ReleaseUninstaller(
                            helm,
                            inspector,
                            reserved,
                            Duration.ofMinutes(1),
                            owners,
                            clock,
                            nobody -> {})),
                    new TenantSettings(
                        namespaces,
                        DefaultValue.installCrds(false),
                        reserved,
                        false,
                        Duration.ofMinutes(10)),
                    listener,
                    clock,
                    afterDelay));
    owners.add(Owner.Kind.TENANT, made);
    return made;
  }

  /** Nothing is queued or under way; what comes at its time is not counted. */
  boolean isAtRest() {
    var state = controller.controller().state();
    return state.ready() == 0 && state.running() == 0;
  }

  long writes() {
    return requests.entrySet().stream()
        .filter(entry -> !READS.contains(entry.getKey()))
        .mapToLong(entry -> entry.getValue().sum())
        .sum();
  }

  long count(String verb) {
    return requests.getOrDefault(verb, new LongAdder()).sum();
  }

  @Override
  public void close() {
    stop();
    registry.close();
    charts.close();
    own.close();
  }

  private void stop() {
    try {
      controller.controller().stop(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Notes whose objects were all looked at. */
  static final class NotingInspector implements ReleaseInspector {
    private final InventoryInspector objects;
    final Set<String> seen = ConcurrentHashMap.newKeySet();

    NotingInspector(InventoryInspector objects) {
      this.objects = objects;
    }

    @Override
    public InspectionResult inspect(TargetCluster target, DeployedRelease release, Scope scope)
        throws IOException {
      var inspectionResult = objects.inspect(target, release, scope);
      if (inspectionResult.complete()
          && !inspectionResult.hasDrift()
          && inspectionResult.pending().isEmpty()) {
        seen.add(release.namespace());
      }
      return inspectionResult;
    }

    @Override
    public List<String> ownedByOthers(TargetCluster target, DeployedRelease release)
        throws IOException {
      return objects.ownedByOthers(target, release);
    }

    @Override
    public ReleaseChanges.Waiter changes(TargetCluster target, DeployedRelease release) {
      return objects.changes(target, release);
    }

    @Override
    public void stored(TargetCluster target, DeployedRelease release, String manifest) {
      objects.stored(target, release, manifest);
    }

    @Override
    public void forget(TargetCluster target, String namespace, String release) {
      objects.forget(target, namespace, release);
    }
  }
}
