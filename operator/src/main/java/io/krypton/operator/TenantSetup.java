// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.operator.MetricsSetup.ChartMetrics;
import io.krypton.operator.MetricsSetup.RolloutMeters;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.classes.controller.PublishedClasses;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup.AllKinds;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.observe.OperatorMetric;
import io.krypton.operator.release.ChartAccess;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.HelmActions;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.SingleRevision;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.chart.ChartStore.RetryBackoff;
import io.krypton.operator.release.chart.RepoChartLoader;
import io.krypton.operator.release.chart.RepoCredentials;
import io.krypton.operator.release.chart.RepoCredentials.ClassCredentials;
import io.krypton.operator.release.helm.BoundedHelmClient;
import io.krypton.operator.release.helm.HelmCheck;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmEngine;
import io.krypton.operator.release.helm.HelmEngine.EngineStatus;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.choice.ChosenEngine;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.StepProgress;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.operator.tenant.TenantCleanup;
import io.krypton.operator.tenant.TenantController;
import io.krypton.operator.tenant.TenantReconciler;
import io.krypton.operator.tenant.TenantSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts together what rolls out Tenants. */
final class TenantSetup implements AutoCloseable {
  private static final Duration HELM_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration UNINSTALL_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration CHART_LIMIT = Duration.ofMinutes(1);
  private static final Duration HELM_OVERTIME = Duration.ofSeconds(10);
  private static final Duration CLOSE_GRACE = Duration.ofMillis(1500);

  private final HelmEngine engine;
  private final HelmClient helm;
  private final HelmCheck helmCheck;
  private volatile @Nullable KubernetesClient home;
  private final RepoChartLoader sources;
  private final ChartStore charts;
  private final TenantController controller;
  private final RolloutEngine rolloutEngine;
  private volatile BiConsumer<ChartRef, Boolean> chartListener = (chart, good) -> {};
  private final Map<Owner.Kind, BiConsumer<Waiter, Boolean>> chartListeners =
      new ConcurrentHashMap<>();

  /**
   * What rolls out releases, whoever asks for them: one Helm, one set of charts and of limits.
   *
   * @param instance name of this run of the program on releases
   * @param revisions what each owner gets
   * @param owners of all kinds that are rolled out here
   * @param enqueue an owner who found no turn at Helm
   */
  record RolloutEngine(
      HelmClient helm,
      String instance,
      ChartAccess charts,
      PublishedClasses revisions,
      RolloutMeters rolloutMetrics,
      AllKinds owners,
      Consumer<Waiter> enqueue) {}

  TenantSetup(OperatorSettings settings, TargetIndex targets, Metrics metrics) {
    var options = settings.rollout();
    var clock = Clock.systemUTC();
    var helmSettings =
        new HelmSettings(
            options.helm(),
            options.dataDirectory(),
            options.cli(),
            options.worker(),
            options.historyMax(),
            HELM_OVERTIME,
            CLOSE_GRACE,
            settings.environment());
    this.engine =
        new ChosenEngine(
            helmSettings,
            reason ->
                metrics.count(
                    OperatorMetric.HELM_WORKER_RESTARTS, Map.of("reason", reason.value())));
    this.helm =
        new BoundedHelmClient(
            engine,
            (operation, result, took) -> {
              var cluster = operation.target().release().cluster();
              metrics.count(
                  OperatorMetric.HELM_OPERATIONS,
                  Map.of(
                      "cluster",
                      cluster,
                      "operation",
                      operation.action(),
                      "result",
                      result.value()));
              metrics.time(OperatorMetric.HELM_TIME, Map.of("operation", operation.action()), took);
            });
    this.helmCheck = new HelmCheck(engine);
    var rolloutSettings = options.forReleases(engine.instance(), HELM_TIMEOUT, UNINSTALL_TIMEOUT);
    this.sources =
        new RepoChartLoader(
            options.dataDirectory(),
            engine.charts(),
            CHART_LIMIT,
            credentials(settings.chart()),
            settings.environment());
    this.charts =
        new ChartStore(
            sources, RetryBackoff.standard(), new ChartMetrics(metrics, this::onChartChange));
    var chartAccess = new ChartAccess(charts);
    var revisions =
        new PublishedClasses(
            new SingleRevision(
                new ReleaseRevision(settings.chart().reference(), settings.chart().values())),
            targets);
    var all = new AllKinds();
    var deployed = new InventoryInspector();
    var counts = new RolloutMeters(metrics);
    var actions = new HelmActions(helm, rolloutSettings, counts, this::enqueue);
    this.rolloutEngine =
        new RolloutEngine(
            helm, engine.instance(), chartAccess, revisions, counts, all, this::enqueue);
    var reserved = new ReservedNamespaces(settings.home().reserved());
    var tenantSettings =
        new TenantSettings(
            settings.home().watchNamespaces(),
            DefaultValue.installCrds(settings.chart().installCrds()),
            reserved,
            settings.chart().allowSkip(),
            settings.clusters().checkInterval());
    var listener = MetricsSetup.listener(ControllerName.TENANTS, metrics);
    this.controller =
        new TenantController(
            settings.clusters().workers(),
            deployed,
            TenantController.eventSource(settings.instance()),
            listener,
            owners ->
                new TenantReconciler(
                    owners,
                    revisions,
                    new Rollout(
                        chartAccess, all, deployed, actions, rolloutSettings, clock, counts),
                    new TenantCleanup(
                        new ReleaseUninstaller(
                            helm,
                            deployed,
                            reserved,
                            rolloutSettings.uninstallTimeout(),
                            all,
                            clock,
                            this::enqueue)),
                    tenantSettings,
                    listener,
                    clock,
                    StepProgress.afterDelay()));
    if (settings.runs(ControllerName.TENANTS)) {
      targets.add(Owner.Kind.TENANT, controller.owners());
      all.add(Owner.Kind.TENANT, controller);
      onChartChange(Owner.Kind.TENANT, controller::chartChanged);
    }
  }

  /** A password of one repository is not shown to another. */
  private Function<ChartRef, RepoCredentials> credentials(OperatorSettings.Chart flags) {
    Supplier<Optional<KubernetesClient>> client = () -> Optional.ofNullable(home);
    var ofFlags = flags.credentials().apply(client);
    return chart -> {
      var secrets = chart.secrets();
      if (secrets != null) {
        return new ClassCredentials(secrets, client);
      }
      return chart.repo().equals(flags.reference().repo()) ? ofFlags : RepoCredentials.NONE;
    };
  }

  HelmCheck helmCheck() {
    return helmCheck;
  }

  EngineStatus helmStatus() {
    return engine.status();
  }

  /** What Helm knows of a cluster that has left may be wrong when it comes again. */
  void forget(ClusterEvent event) {
    if (event instanceof ClusterEvent.Disengaged gone) {
      engine.forget(gone.name().value());
    }
  }

  /** Home has answered: whatever is read there can be read now. */
  void attach(KubernetesClient found) {
    home = found;
  }

  TenantController controller() {
    return controller;
  }

  RolloutEngine engine() {
    return rolloutEngine;
  }

  /** Who hears whether the chart can be had that an owner of this kind asked for in vain. */
  void onChartChange(Owner.Kind kind, BiConsumer<Waiter, Boolean> user) {
    chartListeners.put(kind, user);
  }

  /** Who hears of each chart, whoever asked for it. */
  void onAnyChart(BiConsumer<ChartRef, Boolean> user) {
    chartListener = user;
  }

  /** Charts, for whoever asks for one without an owner. */
  ChartStore charts() {
    return charts;
  }

  private void onChartChange(ChartRef chart, boolean good) {
    chartListener.accept(chart, good);
    for (var waiter : rolloutEngine.charts().drainWaiters(chart)) {
      enqueue(waiter, good);
    }
  }

  private void enqueue(Waiter waiter) {
    enqueue(waiter, false);
  }

  private void enqueue(Waiter waiter, boolean fresh) {
    chartListeners.getOrDefault(waiter.kind(), (nobody, waits) -> {}).accept(waiter, fresh);
  }

  void registerMetrics(Metrics metrics) {
    metrics.gauge(OperatorMetric.HELM_PROCESSES, () -> engine.status().processes());
    metrics.gauge(OperatorMetric.HELM_WORKER_MEMORY, () -> engine.status().workerBytes());
    metrics.gauges(
        OperatorMetric.HELM_ENGINE,
        () ->
            Stream.of(engine.status().engine())
                .filter(name -> !name.isEmpty())
                .map(name -> new Sample(Map.of("engine", name), 1))
                .toList());
    metrics.gauges(
        OperatorMetric.TENANTS,
        () ->
            controller.phases().stream()
                .map(
                    count ->
                        new Sample(
                            Map.of(
                                "cluster", count.group(),
                                "phase", count.phase().name().toLowerCase(Locale.ROOT)),
                            count.count()))
                .toList());
  }

  /** Ends Helm; the controllers have stopped before. */
  @Override
  public void close() {
    helmCheck.close();
    helm.close();
    charts.close();
    sources.close();
  }
}
