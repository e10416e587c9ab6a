package io.krypton.cli.operator;

import io.krypton.api.Annotations;
import io.krypton.api.Crds;
import io.krypton.cli.operator.EnsureCrdsStep.LabelledClustersOnly;
import io.krypton.cli.operator.EnsureCrdsStep.TenantCrdCompatibility;
import io.krypton.cli.operator.MetricsSetup.ClusterMetrics;
import io.krypton.cli.operator.OperatorSettings.ControllerNames;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.HealthCheckTimings;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.controller.ReconcileLoop;
import io.krypton.multicluster.crd.CrdInstaller;
import io.krypton.multicluster.crd.CrdInstaller.CrdPolicy;
import io.krypton.multicluster.home.HomeClusterConnector;
import io.krypton.multicluster.home.HomeClusterConnector.HomeStatus;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.observe.ApiServerConnectivity;
import io.krypton.operator.observe.HttpPageServer;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.OperatorMetric;
import io.krypton.operator.observe.ProbeServer;
import io.krypton.operator.observe.Probes;
import io.krypton.operator.observe.Probes.Check;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator put together: servers first, then clusters, then election. Nothing here waits for an
 * API server, and none that is missing ends the process.
 */
final class Operator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Operator.class);
  private static final Duration GRACE = Duration.ofMillis(1500);
  static final String USER_AGENT = "krypton-operator";

  private final OperatorSettings settings;
  private final Metrics metrics = new Metrics();
  private final ApiServerConnectivity apiServerConnectivity =
      new ApiServerConnectivity(HomeClusterConnector.NAME);
  private final ClientFactory clients;
  private final TenantSetup tenants;
  private final KmsHealthSetup kms;
  private final ClusterEventRecorder clusterEventRecorder = new ClusterEventRecorder();
  private final ClusterRegistry registry;
  private final ClusterProvider discovery;
  private final HomeClusterConnector home;
  private final HomeBootstrap homeBootstrap;
  private final @Nullable DeploymentSetup deployments;
  private final Map<String, ReconcileLoop> loops = new LinkedHashMap<>();
  private final Leadership leadership;
  private final TlsSetup tls;
  private final List<Runnable> closeServers = new ArrayList<>();

  Operator(OperatorSettings settings, TlsSettings tlsSettings) {
    this.settings = settings;
    this.clients = new ClientFactory(apiServerConnectivity.and(this::countRequest), this::mayWrite);
    this.tenants = new TenantSetup(settings, metrics);
    this.kms = new KmsHealthSetup(settings, metrics);
    var clientSettings =
        ClientSettings.remote(USER_AGENT)
            .withRate(settings.discovery().qps, settings.discovery().burst);
    var ensurer =
        new CrdInstaller(crdPolicy(), Annotations.CRD_VERSION, TenantCrdCompatibility::check);
    this.homeBootstrap =
        new HomeBootstrap(
            settings, clients, clientSettings, ensurer, this::isLeading, this::onLiveToken);
    this.registry =
        new ClusterRegistry(
            settings.namespace(),
            clients,
            clientSettings,
            HealthCheckTimings.standard(),
            steps(ensurer),
            this::onClusterEvent,
            homeBootstrap::liveToken,
            Clock.systemUTC());
    this.discovery =
        new ClusterProvider(
            registry,
            new DiscoverySettings(
                settings.namespace(), settings.discovery().label, settings.discovery().key));
    this.deployments =
        settings.controllers().contains(ControllerNames.DEPLOYMENTS)
            ? new DeploymentSetup(settings, tenants.engine(), registry, discovery, metrics)
            : null;
    selectControllers();
    this.leadership =
        new Leadership(
            settings, loops.values(), () -> metrics.count(OperatorMetric.LEASE_LOST, Map.of()));
    this.tls =
        new TlsSetup(
            settings, tlsSettings, clients, clientSettings, metrics, leadership::isLeading);
    leadership.addListener(tls);
    this.home =
        new HomeClusterConnector(
            settings.homeSource(),
            clients,
            clientSettings.withoutRetries(),
            leadership.electThen(this::onHome));
  }

  private boolean isLeading() {
    return leadership.isLeading();
  }

  private void onLiveToken(SecretRef secret) {
    registry.probeNow(secret);
  }

  private void countRequest(String cluster, String verb, int code) {
    metrics.count(
        OperatorMetric.API_REQUESTS,
        Map.of("cluster", cluster, "verb", verb, "code", String.valueOf(code)));
  }

  private List<EngageStep> steps(CrdInstaller ensurer) {
    var steps = new ArrayList<EngageStep>();
    if (settings.controllers().contains(ControllerNames.TENANTS)) {
      steps.add(
          new LabelledClustersOnly(
              new EnsureCrdsStep(ensurer, List.of(Crds.tenant())), this::carriesLabel));
      steps.add(new LabelledClustersOnly(tenants.controller(), this::carriesLabel));
    }
    if (settings.controllers().contains(ControllerNames.KMS_HEALTH)) {
      steps.add(kms.controller());
    }
    return List.copyOf(steps);
  }

  private boolean carriesLabel(SecretRef secret) {
    return discovery.carriesLabel(secret);
  }

  private void selectControllers() {
    if (settings.controllers().contains(ControllerNames.TENANTS)) {
      loops.put(ControllerNames.TENANTS, tenants.controller().controller());
    }
    if (deployments != null) {
      loops.put(ControllerNames.DEPLOYMENTS, deployments.controller().controller());
      tenants.onChartChange(Owner.Kind.KRYPTON_DEPLOYMENT, deployments.controller()::chartChanged);
    }
    if (settings.controllers().contains(ControllerNames.KMS_HEALTH)) {
      loops.put(ControllerNames.KMS_HEALTH, kms.controller());
    }
  }

  /**
   * A cluster that is being engaged gets its definitions from whoever comes first. What is rolled
   * out is written by the leader only. On home every replica writes leases and events; what only
   * the leader writes there goes through clients that ask for the lease.
   */
  private boolean mayWrite(String cluster) {
    var inUse =
        tenants.controller().isEngaged(cluster)
            || (deployments != null && deployments.controller().isInUse(cluster));
    return !inUse || leadership.isLeading();
  }

  private CrdPolicy crdPolicy() {
    return switch (settings.discovery().crdPolicy) {
      case Skip -> CrdPolicy.SKIP;
      case Create -> CrdPolicy.CREATE;
      case CreateReplace -> CrdPolicy.CREATE_REPLACE;
    };
  }

  private void onClusterEvent(ClusterEvent event) {
    tenants.controller().on(event);
    if (deployments != null) {
      deployments.controller().on(event);
    }
    kms.controller().on(event);
    clusterEventRecorder.on(event);
    ClusterMetrics.count(metrics, event);
  }

  private void onHome(Leadership.Home found) {
    clusterEventRecorder.attach(found.events());
    tenants.attach(found.connection().client());
    discovery.attach(found.connection().client());
    homeBootstrap.start(found);
    if (deployments != null) {
      deployments
          .controller()
          .attach(found.connection().fenced().apply(leadership::isLeading), found.events());
    }
  }

  void start() {
    registerMetrics();
    if (needsHelm()) {
      tenants.helmCheck().start();
    }
    serve();
    if (!settings.process().leaderElect) {
      tls.leadAlways();
    }
    tls.start();
    home.start();
    log.atInfo()
        .addKeyValue("namespace", settings.namespace())
        .addKeyValue("chart", settings.chart().name)
        .addKeyValue("workers", settings.workerLimits().total())
        .addKeyValue("helmProcesses", settings.helmLimits().total())
        .addKeyValue("helmMegabytes", settings.memory().megabytes())
        .log("operator started");
  }

  private void serve() {
    var probes = probes().pages();
    settings
        .healthAddress()
        .serve(address -> ProbeServer.start(address, probes))
        .ifPresent(server -> registerServer("probes", server.port(), server::close));
    var pages =
        Map.<String, HttpPageServer.Page>of(
            "/metrics",
            metrics.page(),
            "/status",
            new StatusPage(
                registry,
                tenants.controller(),
                deployments == null ? null : deployments.controller(),
                kms,
                leadership));
    settings
        .metricsAddress()
        .serve(address -> HttpPageServer.start(address, pages, tls.protection()))
        .ifPresent(server -> registerServer("metrics", server.port(), server::close));
  }

  private void registerServer(String what, int port, Runnable close) {
    closeServers.add(close);
    log.atInfo().addKeyValue("port", port).log("{} are served", what);
  }

  private Probes probes() {
    return new Probes(
        List.of(
            new Check(
                "controllers",
                () ->
                    failureUnless(
                        loops.values().stream().allMatch(ReconcileLoop::isAlive) && tls.isAlive(),
                        "a loop has ended")),
            new Check("election", leadership::problem)),
        needsHelm()
            ? List.of(
                new Check("home", this::homeProblem),
                new Check("helm", tenants.helmCheck()::problem))
            : List.of(new Check("home", this::homeProblem)),
        this::clusterCounts);
  }

  /** How many clusters are in which state; which ones these are is for callers of /status. */
  private List<String> clusterCounts() {
    var counts =
        registry.clusters().stream()
            .collect(
                Collectors.groupingBy(
                    cluster -> cluster.state().value(), TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(count -> "clusters %s: %d".formatted(count.getKey(), count.getValue()))
        .toList();
  }

  /** Whether Helm is needed at all. */
  private boolean needsHelm() {
    return settings.controllers().contains(ControllerNames.TENANTS) || deployments != null;
  }

  /** Ready once home was listed; before, also while its Secret does not exist yet. */
  private Optional<String> homeProblem() {
    if (discovery.hasSynced()) {
      return Optional.empty();
    }
    var awaited =
        settings.home().watchSecret != null && home.status() instanceof HomeStatus.Waiting;
    return failureUnless(awaited, "kubeconfig Secrets of home are not listed yet");
  }

  private static Optional<String> failureUnless(boolean fine, String otherwise) {
    return fine ? Optional.empty() : Optional.of(otherwise);
  }

  private void registerMetrics() {
    ClusterMetrics.register(metrics, registry);
    metrics.gauge(OperatorMetric.API_CONNECTED, () -> apiServerConnectivity.isConnected() ? 1 : 0);
    metrics.gauge(OperatorMetric.LEADER, () -> leadership.isLeading() ? 1 : 0);
    metrics.retain("cluster", this::isKnownCluster);
    tenants.registerMetrics(metrics);
    if (deployments != null) {
      deployments.registerMetrics(metrics);
    }
    kms.registerMetrics(metrics);
    MetricsSetup.register(metrics, loops);
    tls.registerMetrics(metrics);
  }

  /** Whether there is such a cluster, or something that is meant for it. */
  private boolean isKnownCluster(String cluster) {
    return cluster.isEmpty()
        || cluster.equals(HomeClusterConnector.NAME)
        || cluster.equals(HomeClusterConnector.HOST)
        || registry.isKnown(new ClusterName(cluster))
        || (deployments != null && deployments.controller().isReferenced(cluster));
  }

  /** Ends within five seconds: no new work, a grace period for what runs, the lease given back. */
  @Override
  public void close() {
    log.info("operator stops");
    try {
      tls.stop(GRACE);
      leadership.stop(GRACE);
      tenants.close();
      if (deployments != null) {
        deployments.close();
      }
      tls.close();
      homeBootstrap.close();
      discovery.close();
      home.close();
      registry.close();
      closeServers.forEach(Runnable::run);
      clients.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
