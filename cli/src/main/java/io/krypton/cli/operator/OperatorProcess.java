package io.krypton.cli.operator;

import io.krypton.api.Annotations;
import io.krypton.api.Crds;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.Pace;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.crd.CrdEnsurer;
import io.krypton.multicluster.cluster.crd.CrdPolicy;
import io.krypton.multicluster.cluster.discovery.ClusterDiscovery;
import io.krypton.multicluster.cluster.discovery.DiscoverySettings;
import io.krypton.multicluster.cluster.home.HomeCluster;
import io.krypton.multicluster.cluster.home.HomeStatus;
import io.krypton.multicluster.controller.Loop;
import io.krypton.operator.observe.ApiContact;
import io.krypton.operator.observe.HttpService;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.ProbeServer;
import io.krypton.operator.observe.Probes;
import io.krypton.operator.observe.Probes.Check;
import io.krypton.operator.rollout.Owner;
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
final class OperatorProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(OperatorProcess.class);
  private static final Duration GRACE = Duration.ofMillis(1500);
  static final String USER_AGENT = "krypton-operator";

  private final OperatorSettings settings;
  private final Metrics metrics = new Metrics();
  private final ApiContact apiContact = new ApiContact(HomeCluster.NAME);
  private final ClientFactory clients;
  private final TenantWiring tenants;
  private final KmsHealthWiring kms;
  private final ClusterEvents clusterEvents = new ClusterEvents();
  private final ClusterRegistry registry;
  private final ClusterDiscovery discovery;
  private final HomeCluster home;
  private final HomeSetup homeSetup;
  private final @Nullable DeploymentWiring deployments;
  private final Map<String, Loop> loops = new LinkedHashMap<>();
  private final Leadership leadership;
  private final TlsWiring tls;
  private final List<Runnable> closeServers = new ArrayList<>();

  OperatorProcess(OperatorSettings settings, TlsSettings tlsSettings) {
    this.settings = settings;
    this.clients = new ClientFactory(apiContact.and(this::countRequest), this::mayWrite);
    this.tenants = new TenantWiring(settings, metrics);
    this.kms = new KmsHealthWiring(settings, metrics);
    var clientSettings =
        ClientSettings.remote(USER_AGENT)
            .withRate(settings.discovery().qps, settings.discovery().burst);
    var ensurer = new CrdEnsurer(crdPolicy(), Annotations.CRD_VERSION, TenantCrdCheck::judge);
    this.homeSetup =
        new HomeSetup(
            settings, clients, clientSettings, ensurer, this::isLeading, this::onLiveToken);
    this.registry =
        new ClusterRegistry(
            settings.namespace(),
            clients,
            clientSettings,
            Pace.standard(),
            steps(ensurer),
            this::onClusterEvent,
            homeSetup::liveToken,
            Clock.systemUTC());
    this.discovery =
        new ClusterDiscovery(
            registry,
            new DiscoverySettings(
                settings.namespace(), settings.discovery().label, settings.discovery().key));
    this.deployments =
        settings.controllers().contains(ControllerNames.DEPLOYMENTS)
            ? new DeploymentWiring(settings, tenants.engine(), registry, discovery, metrics)
            : null;
    chooseLoops();
    this.leadership =
        new Leadership(
            settings, loops.values(), () -> metrics.count("krypton_lease_lost", Map.of()));
    this.tls =
        new TlsWiring(
            settings, tlsSettings, clients, clientSettings, metrics, leadership::isLeading);
    leadership.alsoTell(tls);
    this.home =
        new HomeCluster(
            settings.homeSource(),
            clients,
            clientSettings.withoutRetries(),
            leadership.andThen(this::onHome));
  }

  private boolean isLeading() {
    return leadership.isLeading();
  }

  private void onLiveToken(SecretRef secret) {
    registry.lookAtOnce(secret);
  }

  private void countRequest(String cluster, String verb, int code) {
    metrics.count(
        "krypton_api_requests",
        Map.of("cluster", cluster, "verb", verb, "code", String.valueOf(code)));
  }

  private List<EngageStep> steps(CrdEnsurer ensurer) {
    var steps = new ArrayList<EngageStep>();
    if (settings.controllers().contains(ControllerNames.TENANTS)) {
      steps.add(new OnlyLabelled(new CrdStep(ensurer, List.of(Crds.tenant())), this::carriesLabel));
      steps.add(new OnlyLabelled(tenants.controller(), this::carriesLabel));
    }
    if (settings.controllers().contains(ControllerNames.KMS_HEALTH)) {
      steps.add(kms.controller());
    }
    return List.copyOf(steps);
  }

  private boolean carriesLabel(SecretRef secret) {
    return discovery.carriesLabel(secret);
  }

  private void chooseLoops() {
    if (settings.controllers().contains(ControllerNames.TENANTS)) {
      loops.put(ControllerNames.TENANTS, tenants.controller().loop());
    }
    if (deployments != null) {
      loops.put(ControllerNames.DEPLOYMENTS, deployments.controller().loop());
      tenants.onChart(Owner.Kind.KRYPTON_DEPLOYMENT, deployments.controller()::chartChanged);
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
    clusterEvents.on(event);
    ClusterMetrics.count(metrics, event);
  }

  private void onHome(Leadership.Home found) {
    clusterEvents.recordOn(found.events());
    tenants.attach(found.connection().client());
    discovery.attach(found.connection().client());
    homeSetup.begin(found);
    if (deployments != null) {
      deployments
          .controller()
          .attach(found.connection().fenced().apply(leadership::isLeading), found.events());
    }
  }

  void start() {
    registerMetrics();
    if (rollsOut()) {
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
        .ifPresent(server -> isServed("probes", server.port(), server::close));
    var pages =
        Map.<String, HttpService.Page>of(
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
        .serve(address -> HttpService.start(address, pages, tls.protection()))
        .ifPresent(server -> isServed("metrics", server.port(), server::close));
  }

  private void isServed(String what, int port, Runnable close) {
    closeServers.add(close);
    log.atInfo().addKeyValue("port", port).log("{} are served", what);
  }

  private Probes probes() {
    return new Probes(
        List.of(
            new Check(
                "controllers",
                () ->
                    problem(
                        loops.values().stream().allMatch(Loop::isAlive) && tls.isAlive(),
                        "a loop has ended")),
            new Check("election", leadership::problem)),
        rollsOut()
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
                    cluster -> cluster.state().word(), TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(count -> "clusters %s: %d".formatted(count.getKey(), count.getValue()))
        .toList();
  }

  /** Whether Helm is needed at all. */
  private boolean rollsOut() {
    return settings.controllers().contains(ControllerNames.TENANTS) || deployments != null;
  }

  /** Ready once home was listed; before, also while its Secret does not exist yet. */
  private Optional<String> homeProblem() {
    if (discovery.hasSynced()) {
      return Optional.empty();
    }
    var awaited =
        settings.home().watchSecret != null && home.status() instanceof HomeStatus.Waiting;
    return problem(awaited, "kubeconfig Secrets of home are not listed yet");
  }

  private static Optional<String> problem(boolean fine, String otherwise) {
    return fine ? Optional.empty() : Optional.of(otherwise);
  }

  private void registerMetrics() {
    ClusterMetrics.register(metrics, registry);
    metrics.gauge(
        "krypton_api_connected",
        "1 while the API server of home answers",
        () -> apiContact.isConnected() ? 1 : 0);
    metrics.gauge(
        "krypton_leader", "1 while this process leads", () -> leadership.isLeading() ? 1 : 0);
    metrics.retain("cluster", this::isAlive);
    tenants.registerMetrics(metrics);
    if (deployments != null) {
      deployments.registerMetrics(metrics);
    }
    kms.registerMetrics(metrics);
    LoopMetrics.register(metrics, loops);
    tls.registerMetrics(metrics);
  }

  /** Whether there is such a cluster, or something that is meant for it. */
  private boolean isAlive(String cluster) {
    return cluster.isEmpty()
        || cluster.equals(HomeCluster.NAME)
        || cluster.equals(HomeCluster.HOST)
        || registry.isKnown(new ClusterName(cluster))
        || (deployments != null && deployments.controller().isMeant(cluster));
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
      homeSetup.close();
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
