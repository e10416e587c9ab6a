// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.api.Annotations;
import io.krypton.api.Crds;
import io.krypton.base.http.Page;
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
import io.krypton.multicluster.home.HomeClusterConnector;
import io.krypton.multicluster.home.HomeClusterConnector.HomeStatus;
import io.krypton.multicluster.home.HomeSource;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import io.krypton.operator.ClassSetup.ForOneSecond;
import io.krypton.operator.ClassSetup.RegisteredClusters;
import io.krypton.operator.EnsureCrdsStep.LabelledClustersOnly;
import io.krypton.operator.EnsureCrdsStep.TenantCrdCompatibility;
import io.krypton.operator.Lifecycle.Step;
import io.krypton.operator.MetricsSetup.ClusterMetrics;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.observe.ApiServerConnectivity;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator. Its parts are the {@linkplain #steps steps} below: servers first, so that probes
 * answer at once, and home last, because everything else begins when home connects. No step waits
 * for an API server, and an unreachable one never ends the process.
 */
public final class Operator implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Operator.class);
  private static final Duration GRACE = Duration.ofMillis(1500);

  /** The loop of classes, which runs wherever releases are rolled out. */
  private static final String CLASSES = "classes";

  static final String USER_AGENT = "krypton-operator";

  private final OperatorSettings settings;
  private final Metrics metrics = new Metrics();
  private final ApiServerConnectivity apiServerConnectivity =
      new ApiServerConnectivity(HomeClusterConnector.NAME);
  private final ClientFactory clients;
  private final TargetIndex targets =
      new TargetIndex(new RegisteredClusters(this::registry, this::discovery, new ForOneSecond<>(this::kmsDegraded)));
  private final TenantSetup tenants;
  private final ClassSetup classes;
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
  private final Lifecycle lifecycle;

  /** Builds all parts; nothing is started and nothing connects. */
  public Operator(OperatorSettings settings) {
    this.settings = settings;
    this.clients = new ClientFactory(apiServerConnectivity.and(this::countRequest), this::mayWrite);
    this.tenants = new TenantSetup(settings, targets, metrics);
    this.classes = new ClassSetup(settings, tenants, targets);
    this.kms = new KmsHealthSetup(settings, metrics);
    var clusters = settings.clusters();
    var clientSettings =
        ClientSettings.remote(USER_AGENT).withRate(clusters.qps(), clusters.burst());
    var crdInstaller =
        new CrdInstaller(
            clusters.crdPolicy(), Annotations.CRD_VERSION, TenantCrdCompatibility::check);
    this.homeBootstrap =
        new HomeBootstrap(
            settings, clients, clientSettings, crdInstaller, this::isLeading, this::onLiveToken);
    this.registry =
        new ClusterRegistry(
            settings.home().namespace(),
            clients,
            clientSettings,
            HealthCheckTimings.standard(),
            engageSteps(crdInstaller),
            this::onClusterEvent,
            homeBootstrap::liveToken,
            Clock.systemUTC());
    this.discovery =
        new ClusterProvider(
            registry,
            new DiscoverySettings(settings.home().namespace(), clusters.label(), clusters.key()));
    this.deployments =
        settings.runs(ControllerName.DEPLOYMENTS)
            ? new DeploymentSetup(settings, tenants.engine(), targets, registry, discovery, metrics)
            : null;
    discovery.onLabels(targets::labelsChanged);
    selectControllers();
    this.leadership =
        new Leadership(
            settings, loops.values(), () -> metrics.count(OperatorMetric.LEASE_LOST, Map.of()));
    this.tls = new TlsSetup(settings, clients, clientSettings, metrics, leadership::isLeading);
    leadership.addListener(tls);
    leadership.addListener(classes.controller());
    this.home =
        new HomeClusterConnector(
            settings.home().source(),
            clients,
            clientSettings.withoutRetries(),
            leadership.electThen(this::onHome));
    this.lifecycle = new Lifecycle(steps());
  }

  /** Started in this order, drained in this order, closed in reverse order. */
  private List<Step> steps() {
    return List.of(
        Step.of("clients").onClose(clients::close),
        Step.of("servers")
            .onStart(this::startServers)
            .onClose(() -> closeServers.forEach(Runnable::run)),
        Step.of("registry").onClose(registry::close),
        Step.of("home").onClose(home::close),
        Step.of("discovery").onClose(discovery::close),
        Step.of("home bootstrap").onClose(homeBootstrap::close),
        Step.of("tls").onStart(tls::start).onDrain(() -> tls.stop(GRACE)).onClose(tls::close),
        deployments == null
            ? Step.of("deployments")
            : Step.of("deployments").onClose(deployments::close),
        Step.of("classes").onClose(classes::close),
        Step.of("rollout").onStart(this::startRollout).onClose(tenants::close),
        Step.of("election").onDrain(() -> leadership.stop(GRACE)),
        Step.of("engage home").onStart(home::start));
  }

  /** Returns as soon as all steps are under way. */
  public void start() {
    lifecycle.start();
    log.atInfo()
        .addKeyValue("version", settings.version())
        .addKeyValue("namespace", settings.home().namespace())
        .addKeyValue("chart", settings.chart().reference().name())
        .addKeyValue("workers", settings.clusters().workers().total())
        .addKeyValue("helmProcesses", settings.rollout().cli().operations().total())
        .addKeyValue("helmMegabytes", settings.rollout().cli().megabytes())
        .addKeyValue("workerOperations", settings.rollout().worker().operations().total())
        .addKeyValue("workerMegabytes", settings.rollout().worker().megabytes())
        .log("operator started");
    var disabled =
        Stream.of(ControllerName.values())
            .filter(controller -> !settings.runs(controller))
            .map(ControllerName::value)
            .collect(Collectors.joining(","));
    if (!disabled.isEmpty()) {
      log.atInfo().addKeyValue("controllers", disabled).log("controllers disabled");
    }
  }

  /** Returns once {@link #close} has run to its end. */
  public void awaitClosed() throws InterruptedException {
    lifecycle.awaitClosed();
  }

  /**
   * Stops taking work, gives running reconciles a grace period, releases the lease and disconnects,
   * all within five seconds. Only the first call has an effect.
   */
  @Override
  public void close() {
    lifecycle.close();
  }

  List<String> stepNames() {
    return lifecycle.names();
  }

  private ClusterRegistry registry() {
    return registry;
  }

  private Set<String> kmsDegraded() {
    return kms.degradedClusters();
  }

  private ClusterProvider discovery() {
    return discovery;
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

  private List<EngageStep> engageSteps(CrdInstaller crdInstaller) {
    var steps = new ArrayList<EngageStep>();
    if (settings.runs(ControllerName.TENANTS)) {
      steps.add(
          new LabelledClustersOnly(
              new EnsureCrdsStep(crdInstaller, List.of(Crds.tenant())), this::carriesLabel));
      steps.add(new LabelledClustersOnly(tenants.controller(), this::carriesLabel));
    }
    if (settings.runs(ControllerName.KMS_HEALTH)) {
      steps.add(kms.controller());
    }
    return List.copyOf(steps);
  }

  private boolean carriesLabel(SecretRef secret) {
    return discovery.carriesLabel(secret);
  }

  private void selectControllers() {
    if (settings.runs(ControllerName.TENANTS)) {
      loops.put(ControllerName.TENANTS.value(), tenants.controller().controller());
    }
    if (deployments != null) {
      loops.put(ControllerName.DEPLOYMENTS.value(), deployments.controller().controller());
      tenants.onChartChange(Owner.Kind.KRYPTON_DEPLOYMENT, deployments.controller()::chartChanged);
    }
    if (needsHelm()) {
      loops.put(CLASSES, classes.controller().controller());
    }
    if (settings.runs(ControllerName.KMS_HEALTH)) {
      loops.put(ControllerName.KMS_HEALTH.value(), kms.controller());
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

  private void onClusterEvent(ClusterEvent event) {
    tenants.controller().on(event);
    if (deployments != null) {
      deployments.controller().on(event);
    }
    targets.on(event);
    kms.controller().on(event);
    tenants.forget(event);
    clusterEventRecorder.on(event);
    ClusterMetrics.count(metrics, event);
  }

  private void onHome(Leadership.Home found) {
    clusterEventRecorder.attach(found.events());
    tenants.attach(found.connection().client());
    discovery.attach(found.connection().client());
    homeBootstrap.start(found);
    if (needsHelm()) {
      classes
          .controller()
          .attach(found.connection().fenced().apply(leadership::isLeading), found.events());
    }
    if (deployments != null) {
      deployments
          .controller()
          .attach(found.connection().fenced().apply(leadership::isLeading), found.events());
    }
  }

  private void startRollout() {
    if (needsHelm()) {
      tenants.helmCheck().start();
    }
  }

  private void startServers() {
    registerMetrics();
    var probes = probes().pages();
    settings
        .serving()
        .probes()
        .serve(address -> ProbeServer.start(address, probes))
        .ifPresent(server -> addServer("probes", server.port(), server::close));
    var pages =
        Map.<String, Page>of(
            "/metrics",
            metrics.page(),
            "/status",
            new StatusPage(
                registry,
                tenants.controller(),
                deployments == null ? null : deployments.controller(),
                kms,
                leadership,
                tenants::helmStatus));
    settings
        .serving()
        .metrics()
        .serve(address -> tls.serverSecurity().serve(address, pages))
        .ifPresent(server -> addServer("metrics", server.port(), server::close));
  }

  private void addServer(String what, int port, Runnable close) {
    closeServers.add(close);
    log.atInfo().addKeyValue("port", port).log("serving {}", what);
  }

  private Probes probes() {
    return new Probes(
        List.of(
            new Check(
                "controllers",
                () ->
                    failureUnless(
                        loops.values().stream().allMatch(ReconcileLoop::isAlive) && tls.isAlive(),
                        "a reconcile loop has ended")),
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

  private boolean needsHelm() {
    return settings.runs(ControllerName.TENANTS) || deployments != null;
  }

  /** Ready once home was listed; before, also while its Secret does not exist yet. */
  private Optional<String> homeProblem() {
    if (discovery.hasSynced()) {
      return Optional.empty();
    }
    var awaited =
        settings.home().source() instanceof HomeSource.HostSecret
            && home.status() instanceof HomeStatus.Waiting;
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
}
