package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.Crds;
import io.krypton.api.rollout.Phase;
import io.krypton.api.tenant.Tenant;
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
import io.krypton.operator.helm.HelmClient;
import io.krypton.operator.helm.HelmOperation;
import io.krypton.operator.helm.HelmResult;
import io.krypton.operator.helm.ReleaseKey;
import io.krypton.operator.release.ReleaseSecret;
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
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.Cluster;
import io.krypton.sandbox.junit.ControlPlanes;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A process that starts where all Tenants are ready has nothing to do but to look. */
@ExtendWith(ControlPlanes.class)
class RestartIT {
  private static final Logger log = LoggerFactory.getLogger(RestartIT.class);

  /** For a measurement: {@code -Drestart.tenants=20000}. */
  private static final int TENANTS = Integer.getInteger("restart.tenants", 100);

  private static final Duration LIMIT = Duration.ofMinutes(2).plusMillis(20L * TENANTS);
  private static final Set<String> READS = Set.of("GET", "WATCH");

  private final ClientFactory clients = new ClientFactory(RequestObserver.none());
  @TempDir private Path directory;
  private Path archive;
  private KubernetesClient admin;
  private Kubeconfig.Accepted access;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane plane, @Cluster("home") TestNamespace own)
      throws IOException {
    namespace = own.name();
    archive = Files.writeString(directory.resolve("web.tgz"), "chart");
    access =
        (Kubeconfig.Accepted)
            Kubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    admin = clients.connect("admin", access, fast()).client();
    admin.resource(Crds.tenant()).forceConflicts().serverSideApply();
    await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> admin.resources(Tenant.class).inNamespace(namespace).list() != null);
  }

  private static ClientSettings fast() {
    return ClientSettings.remote("test").withoutRetries().withRate(5000, 5000);
  }

  @AfterEach
  void close() {
    for (var tenant : admin.resources(Tenant.class).inNamespace(namespace).list().getItems()) {
      tenant.getMetadata().setFinalizers(List.of());
      admin.resource(tenant).update();
    }
    admin.close();
    clients.close();
  }

  /** Keeps releases as Helm does, without charts and processes. */
  private final class StoringHelm implements HelmClient {
    private final AtomicInteger operations = new AtomicInteger();

    @Override
    public HelmResult run(HelmOperation operation) {
      operations.incrementAndGet();
      if (!(operation instanceof HelmOperation.Install(var target, var rollout))) {
        return new HelmResult.Failed("only installs are expected here");
      }
      var release = target.release();
      var labels = new HashMap<>(rollout.labels().asMap());
      labels.putAll(
          Map.of(
              "owner",
              "helm",
              "name",
              release.name().value(),
              "status",
              "deployed",
              "version",
              "1"));
      admin
          .resource(
              new SecretBuilder()
                  .withNewMetadata()
                  .withNamespace(release.namespace())
                  .withName(ReleaseSecret.name(release.name(), 1))
                  .withLabels(labels)
                  .endMetadata()
                  .withType(ReleaseSecret.TYPE)
                  .build())
          .create();
      return new HelmResult.Done();
    }

    @Override
    public boolean isRunning(ReleaseKey release) {
      return false;
    }

    @Override
    public boolean hasEnded(String instance) {
      return false;
    }

    @Override
    public boolean reserve(ReleaseKey release, Runnable call) {
      return true;
    }

    @Override
    public void giveBack(ReleaseKey release) {}

    @Override
    public void stop(String cluster) {}

    @Override
    public void close() {}
  }

  private static final class NothingToSee implements Inspector {
    @Override
    public Findings inspect(TargetCluster target, DeployedRelease release, Scope scope) {
      return Findings.NONE;
    }

    @Override
    public List<String> ownedByOthers(TargetCluster target, DeployedRelease release) {
      return List.of();
    }

    @Override
    public void forget(TargetCluster target, String namespace, String release) {}
  }

  /** One life of the operator, as far as Tenants are concerned. */
  private final class Life implements AutoCloseable {
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final StoringHelm helm = new StoringHelm();
    private final ClientFactory own =
        new ClientFactory(
            (cluster, verb, code) ->
                requests.computeIfAbsent(verb, first -> new LongAdder()).increment());
    private final ChartStore charts =
        new ChartStore(
            ref -> new ChartResult.Loaded(archive, "abc", "1.2.3", Set.of()),
            Backoff.standard(),
            new ChartListener() {
              @Override
              public void changed(ChartRef chart, ChartResult result) {
                central.takeWaiting().forEach(waiter -> controller.chartChanged(waiter, true));
              }
            });
    private final CentralChart central =
        new CentralChart(ChartRef.of("/charts", "web", "1.2.3"), charts);
    private final TenantController controller = controller();
    private final ClusterRegistry registry =
        new ClusterRegistry(
            namespace,
            own,
            fast(),
            Pace.standard(),
            List.of(controller),
            controller,
            LiveTokens.none(),
            Clock.systemUTC());

    Life() {
      registry.want(
          new SecretRef(namespace, "edge"), SecretContent.of("kubeconfig", access.toYaml()));
      controller.loop().resume(() -> true);
    }

    private TenantController controller() {
      var clock = Clock.systemUTC();
      var settings =
          new RolloutSettings(
              "test",
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              Duration.ofMinutes(1),
              RolloutSettings.DriftMode.IGNORE,
              false,
              false);
      var reserved = new ReservedNamespaces(Set.of());
      var owners = new AllOwners();
      var inspector = new NothingToSee();
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
              new DeployedObjects(),
              TenantController.eventSource("test"),
              listener,
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
                          Set.of(namespace),
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

    long ready() {
      return controller.phases().stream()
          .filter(count -> count.phase() == Phase.READY)
          .mapToLong(TenantController.PhaseCount::count)
          .sum();
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
  }

  @Test
  void ready_tenants_cost_a_new_process_neither_a_helm_run_nor_a_write() throws Exception {
    try (var first = new Life()) {
      for (int i = 0; i < TENANTS; i++) {
        var tenant = new Tenant();
        tenant.getMetadata().setNamespace(namespace);
        tenant.getMetadata().setName(namespace + "-" + i);
        admin.resource(tenant).create();
      }
      await().atMost(LIMIT).until(() -> first.ready() == TENANTS);
      assertThat(first.helm.operations).hasValue(TENANTS);
    }

    var begun = System.nanoTime();
    try (var second = new Life()) {
      await().atMost(LIMIT).until(() -> second.runs.get() >= TENANTS);
      log.atInfo()
          .addKeyValue("tenants", TENANTS)
          .addKeyValue("seconds", (System.nanoTime() - begun) / 1_000_000_000)
          .addKeyValue("heapMiB", usedHeap() >> 20)
          .addKeyValue("requests", second.requests)
          .log("restarted");

      assertThat(second.ready()).isEqualTo(TENANTS);
      assertThat(second.helm.operations).hasValue(0);
      assertThat(second.writes()).isZero();
      // Lists, watches and probes, but nothing for each Tenant.
      assertThat(second.count("GET")).isLessThan(50 + TENANTS / 100);
    }
  }

  private static long usedHeap() {
    System.gc();
    var memory = Runtime.getRuntime();
    return memory.totalMemory() - memory.freeMemory();
  }
}
