package io.krypton.operator.tenant;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.LiveTokens;
import io.krypton.multicluster.cluster.Pace;
import io.krypton.multicluster.cluster.SecretContent;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.RequestObserver;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import io.krypton.multicluster.queue.Limits;
import io.krypton.operator.chart.Backoff;
import io.krypton.operator.chart.ChartListener;
import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.chart.ChartStore;
import io.krypton.operator.deployed.DeployedObjects;
import io.krypton.operator.helm.StoringHelm;
import io.krypton.operator.rollout.AllOwners;
import io.krypton.operator.rollout.CentralChart;
import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.Findings;
import io.krypton.operator.rollout.Inspector;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReleaseActions;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.rollout.Rollout;
import io.krypton.operator.rollout.RolloutSettings;
import io.krypton.operator.rollout.RunListener;
import io.krypton.operator.rollout.TargetCluster;
import io.krypton.operator.rollout.Withdrawal;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** One life of the operator, as far as Tenants are concerned. */
final class TenantLife implements AutoCloseable {
  static final String CLUSTER = "edge";
  private static final Set<String> READS = Set.of("GET", "WATCH", "unanswered");

  /** A busy machine may be slow to answer; what fails for want of streams fails at once. */
  private static final Pace PATIENT =
      new Pace(
          Pace.standard().liveness(),
          Pace.standard().doubt(),
          Pace.standard().recovery(),
          Duration.ofSeconds(60),
          Duration.ofSeconds(60),
          Pace.standard().mostWhenRefused(),
          Pace.standard().mostWhenNotPrepared());

  final StoringHelm helm;
  final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
  final AtomicInteger runs = new AtomicInteger();

  /** What became of the cluster. */
  final List<ClusterEvent> events = new CopyOnWriteArrayList<>();

  private final DeployedObjects deployed = new DeployedObjects();
  final NotingInspector inspector = new NotingInspector(deployed);
  private final ClientFactory own = new ClientFactory(this::count);
  private final ChartStore charts;
  private final CentralChart central;
  private final TenantController controller;
  private final ClusterRegistry registry;

  /**
   * Begins at once.
   *
   * @param admin writes what Helm would
   * @param namespaces whose Tenants are looked after; none means all
   */
  TenantLife(
      KubernetesClient admin, Kubeconfig.Accepted access, Path archive, Set<String> namespaces) {
    this(admin, access, archive, namespaces, Duration.ofSeconds(30));
  }

  /**
   * As the other one.
   *
   * @param syncLimit how long one try to engage waits for the first lists
   */
  TenantLife(
      KubernetesClient admin,
      Kubeconfig.Accepted access,
      Path archive,
      Set<String> namespaces,
      Duration syncLimit) {
    helm = new StoringHelm(admin);
    charts =
        new ChartStore(
            ref -> new ChartResult.Loaded(archive, "abc", "1.2.3", Set.of()),
            Backoff.standard(),
            new ChartListener() {
              @Override
              public void changed(ChartRef chart, ChartResult result) {
                wakeAllThatWait();
              }
            });
    central = new CentralChart(ChartRef.of("/charts", "web", "1.2.3"), charts);
    controller = controller(namespaces, syncLimit);
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
    registry.want(new SecretRef("home", CLUSTER), SecretContent.of("kubeconfig", access.toYaml()));
    controller.loop().resume(() -> true);
  }

  static ClientSettings fast() {
    return ClientSettings.remote("test").withoutRetries().withRate(5000, 5000);
  }

  private void wakeAllThatWait() {
    central.takeWaiting().forEach(waiter -> controller.chartChanged(waiter, true));
  }

  private void count(String cluster, String verb, int code) {
    var what = code == RequestObserver.NO_ANSWER ? "unanswered" : verb;
    requests.computeIfAbsent(what, first -> new LongAdder()).increment();
  }

  private TenantController controller(Set<String> namespaces, Duration syncLimit) {
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
    var owners = new AllOwners();
    var listener =
        new RunListener() {
          @Override
          public void reconciled(String cluster, Result result) {}

          @Override
          public void ran(String cluster, Duration took) {
            runs.incrementAndGet();
          }
        };
    var made =
        new TenantController(
            new Limits(32, 32),
            deployed,
            TenantController.eventSource("test"),
            listener,
            syncLimit,
            tenants ->
                new TenantReconciler(
                    tenants,
                    new Rollout(
                        central,
                        owners,
                        inspector,
                        new ReleaseActions(helm, settings),
                        settings,
                        clock),
                    new TenantCleanup(
                        new Withdrawal(
                            helm, inspector, reserved, Duration.ofMinutes(1), owners, clock)),
                    new TenantSettings(
                        namespaces,
                        Values.empty(),
                        BaseValue.installCrds(false),
                        reserved,
                        false,
                        Duration.ofMinutes(10)),
                    listener,
                    clock));
    owners.add(Owner.Kind.TENANT, made);
    return made;
  }

  /** Nothing is queued or under way; what comes at its time is not counted. */
  boolean isAtRest() {
    var state = controller.loop().state();
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
      controller.loop().stop(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Notes whose objects were all looked at. */
  static final class NotingInspector implements Inspector {
    private final DeployedObjects objects;
    final Set<String> seen = ConcurrentHashMap.newKeySet();

    NotingInspector(DeployedObjects objects) {
      this.objects = objects;
    }

    @Override
    public Findings inspect(TargetCluster target, DeployedRelease release, Scope scope)
        throws IOException {
      var findings = objects.inspect(target, release, scope);
      if (findings.complete() && !findings.hasDrift() && findings.pending().isEmpty()) {
        seen.add(release.namespace());
      }
      return findings;
    }

    @Override
    public List<String> ownedByOthers(TargetCluster target, DeployedRelease release)
        throws IOException {
      return objects.ownedByOthers(target, release);
    }

    @Override
    public void forget(TargetCluster target, String namespace, String release) {
      objects.forget(target, namespace, release);
    }
  }
}
