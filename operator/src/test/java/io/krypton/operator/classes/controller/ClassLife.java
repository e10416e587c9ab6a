// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterRegistry.SecretContent;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.event.EventRecorder.EventSource;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.classes.revision.FlagsRevision;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup.AllKinds;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.ChartAccess;
import io.krypton.operator.release.HelmActions;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.RevisionSource.SingleRevision;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutSettings;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.chart.ChartStore.ChartListener;
import io.krypton.operator.release.chart.ChartStore.ChartLoader;
import io.krypton.operator.release.chart.ChartStore.RetryBackoff;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.operator.tenant.TenantCleanup;
import io.krypton.operator.tenant.TenantController;
import io.krypton.operator.tenant.TenantReconciler;
import io.krypton.operator.tenant.TenantSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One life of the operator, as far as Tenants and their classes are concerned. */
final class ClassLife implements AutoCloseable {
  private static final FlagsRevision FLAGS =
      new FlagsRevision(ChartRef.of("/charts", "web", "1.0.0"), ChartValues.empty());
  private static final Duration MINUTE = Duration.ofMinutes(1);

  final Map<String, LongAdder> requests = new ConcurrentHashMap<>();

  private final ClientFactory clients = new ClientFactory(this::count);
  private final AllKinds owners = new AllKinds();
  private final InventoryInspector deployed = new InventoryInspector();
  /** Clusters that need not be waited for. */
  private final Set<String> down = ConcurrentHashMap.newKeySet();

  private final ChartStore charts;
  private final ChartAccess chartAccess;
  private final ClusterRegistry registry;
  private final TargetIndex index;
  private final PublishedClasses published;
  private final TenantController tenants;
  private final ClassController classes;
  private final EventRecorder events;

  /** A cluster with the labels of its Secret. */
  record Edge(ParsedKubeconfig.Accepted access, Map<String, String> labels) {}

  /**
   * Begins at once.
   *
   * @param namespace of classes on home, and of all Tenants that are looked after
   */
  ClassLife(
      ParsedKubeconfig.Accepted homeAccess,
      String namespace,
      Map<String, Edge> edges,
      HelmClient helm,
      ChartLoader loader) {
    var home = clients.connect("home", homeAccess, fast()).client();
    this.charts =
        new ChartStore(
            loader,
            new RetryBackoff(Duration.ofMillis(100), Duration.ofSeconds(1), new Random(1)),
            new ChartListener() {
              @Override
              public void changed(ChartRef chart, ChartResult result) {
                chartChanged(chart, result instanceof ChartResult.Loaded);
              }
            });
    this.chartAccess = new ChartAccess(charts);
    this.index = new TargetIndex(new EdgeClusters(edges));
    this.published =
        new PublishedClasses(
            new SingleRevision(FLAGS.release()), index);
    this.tenants = tenants(helm, Set.of(namespace));
    index.add(Owner.Kind.TENANT, tenants.owners());
    this.classes =
        new ClassController(
            namespace,
            index,
            published,
            controller ->
                new ClassReconciler(
                    controller, index, published, charts, FLAGS, Clock.systemUTC()));
    this.registry =
        new ClusterRegistry(
            namespace,
            clients,
            fast(),
            HealthCheckTimings.standard(),
            List.of(tenants),
            event -> {
              tenants.on(event);
              index.on(event);
            },
            LiveTokens.none(),
            Clock.systemUTC());
    this.events = new EventRecorder(home, new EventSource("test", "test/test", "test"));
    classes.attach(home, events);
    edges.forEach(
        (name, edge) ->
            registry.engage(
                new SecretRef(namespace, name),
                SecretContent.of("kubeconfig", edge.access().toYaml())));
    classes.controller().resume(() -> true);
    tenants.controller().resume(() -> true);
  }

  private static ClientSettings fast() {
    return ClientSettings.remote("test").withoutRetries().withRate(5000, 5000);
  }

  /** Nothing is queued or under way. */
  boolean isAtRest() {
    return Stream.of(tenants.controller(), classes.controller())
        .map(Controller::state)
        .allMatch(state -> state.ready() == 0 && state.running() == 0);
  }

  /** How often a verb was used on a cluster. */
  long count(String cluster, String verb) {
    return requests.getOrDefault(cluster + " " + verb, new LongAdder()).sum();
  }

  private final class EdgeClusters implements TargetIndex.Clusters {
    private final Map<String, Edge> edges;

    EdgeClusters(Map<String, Edge> edges) {
      this.edges = edges;
    }

    @Override
    public boolean isUp(String cluster) {
      return registry.isUp(new ClusterName(cluster));
    }

    @Override
    public Map<String, String> labels(SecretRef secret) {
      return edges.get(secret.name()).labels();
    }

    @Override
    public boolean areSettled() {
      return edges.keySet().stream().allMatch(it -> tenants.isEngaged(it) || down.contains(it));
    }

    @Override
    public Set<String> kmsDegraded() {
      return Set.of();
    }

    @Override
    public List<String> notSeen() {
      return edges.keySet().stream().filter(it -> !tenants.isEngaged(it)).toList();
    }
  }

  private TenantController tenants(HelmClient helm, Set<String> namespaces) {
    var settings =
        new RolloutSettings(
            "test", MINUTE, MINUTE, MINUTE, RolloutSettings.DriftMode.REPAIR, false, false);
    var clock = Clock.systemUTC();
    var reserved = new ReservedNamespaces(Set.of());
    var listener =
        new ReconcileMetricsListener() {
          @Override
          public void reconciled(String cluster, Result result) {}

          @Override
          public void ran(String cluster, Duration took) {}
        };
    var made =
        new TenantController(
            new ConcurrencyLimits(32, 32),
            deployed,
            TenantController.eventSource("test"),
            listener,
            controller ->
                new TenantReconciler(
                    controller,
                    published,
                    new Rollout(
                        chartAccess,
                        owners,
                        deployed,
                        new HelmActions(helm, settings, RolloutMetricsListener.NONE, nobody -> {}),
                        settings,
                        clock,
                        RolloutMetricsListener.NONE),
                    new TenantCleanup(
                        new ReleaseUninstaller(
                            helm, deployed, reserved, MINUTE, owners, clock, nobody -> {})),
                    new TenantSettings(
                        namespaces,
                        DefaultValue.installCrds(false),
                        reserved,
                        false,
                        Duration.ofMinutes(10)),
                    listener,
                    clock,
                    never -> {}));
    owners.add(Owner.Kind.TENANT, made);
    return made;
  }

  private void chartChanged(ChartRef chart, boolean loaded) {
    chartAccess.drainWaiters(chart).forEach(waiter -> tenants.chartChanged(waiter, loaded));
    classes.chartChanged(chart, loaded);
  }

  private void count(String cluster, String verb, int code) {
    var what = code == RequestObserver.NO_ANSWER ? "unanswered" : verb;
    requests.computeIfAbsent(cluster + " " + what, first -> new LongAdder()).increment();
  }

  /** Ends without a word, as a process does that is killed. */
  @Override
  public void close() {
    stop(classes.controller()::stop);
    stop(tenants.controller()::stop);
    classes.close();
    registry.close();
    charts.close();
    events.close();
    clients.close();
  }

  private interface Stop {
    boolean within(@Nullable Duration grace) throws InterruptedException;
  }

  private static void stop(Stop loop) {
    try {
      loop.within(Duration.ZERO);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
