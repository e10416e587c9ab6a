package io.krypton.cli.operator;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.cli.operator.RolloutOptions.AdoptNamespaces;
import io.krypton.cli.operator.RolloutOptions.Drift;
import io.krypton.cli.operator.RolloutOptions.Remediation;
import io.krypton.operator.chart.Backoff;
import io.krypton.operator.chart.ChartSources;
import io.krypton.operator.chart.ChartStore;
import io.krypton.operator.deployed.DeployedObjects;
import io.krypton.operator.helm.HelmCheck;
import io.krypton.operator.helm.HelmCli;
import io.krypton.operator.helm.HelmSettings;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.rollout.AllOwners;
import io.krypton.operator.rollout.CentralChart;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReleaseActions;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.rollout.Rollout;
import io.krypton.operator.rollout.RolloutSettings;
import io.krypton.operator.rollout.RolloutSettings.DriftMode;
import io.krypton.operator.rollout.Withdrawal;
import io.krypton.operator.tenant.TenantCleanup;
import io.krypton.operator.tenant.TenantController;
import io.krypton.operator.tenant.TenantReconciler;
import io.krypton.operator.tenant.TenantSettings;
import io.krypton.operator.values.BaseValue;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Puts together what rolls out Tenants. */
final class TenantWiring implements AutoCloseable {
  private static final Duration HELM_TIMEOUT = Duration.ofMinutes(3);
  private static final Duration UNINSTALL_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration CHART_LIMIT = Duration.ofMinutes(1);
  private static final Duration HELM_OVERTIME = Duration.ofSeconds(10);
  private static final Duration CLOSE_GRACE = Duration.ofMillis(1500);

  private final HelmCli helm;
  private final HelmCheck helmCheck;
  private volatile @Nullable KubernetesClient home;
  private final ChartSources sources;
  private final ChartStore charts;
  private final TenantController controller;
  private final Engine engine;
  private final Map<Owner.Kind, BiConsumer<Waiter, Boolean>> users = new ConcurrentHashMap<>();

  /**
   * What rolls out releases, whoever asks for them: one Helm, one chart, one set of limits.
   *
   * @param owners of all kinds that are rolled out here
   * @param wake an owner who found no turn at Helm
   */
  record Engine(
      HelmCli helm,
      CentralChart chart,
      RolloutCounts counts,
      AllOwners owners,
      Consumer<Waiter> wake) {}

  TenantWiring(OperatorSettings settings, Metrics metrics) {
    var options = settings.rollout();
    var clock = Clock.systemUTC();
    var helmSettings =
        new HelmSettings(
            options.helmBinary,
            options.dataDir,
            settings.helmLimits(),
            settings.memory().megabytes(),
            options.helmHistoryMax,
            HELM_OVERTIME,
            CLOSE_GRACE,
            settings.environment());
    this.helm =
        new HelmCli(
            helmSettings,
            (operation, result, took) -> {
              var cluster = operation.target().release().cluster();
              metrics.count(
                  "krypton_helm_operations",
                  Map.of(
                      "cluster", cluster, "operation", operation.word(), "result", result.word()));
              metrics.time("krypton_helm_operation", Map.of("operation", operation.word()), took);
            });
    this.helmCheck = helm.newCheck();
    var rolloutSettings =
        new RolloutSettings(
            helm.instance(),
            options.helmTimeout == null ? HELM_TIMEOUT : options.helmTimeout,
            options.helmUninstallTimeout == null ? UNINSTALL_TIMEOUT : options.helmUninstallTimeout,
            options.readyTimeout,
            driftMode(options.drift),
            options.remediation == Remediation.rollback,
            options.adoptNamespaces == AdoptNamespaces.any);
    this.sources =
        new ChartSources(
            options.dataDir,
            helm.charts(),
            CHART_LIMIT,
            settings.chart().credentials(settings.namespace(), () -> Optional.ofNullable(home)),
            settings.environment());
    this.charts =
        new ChartStore(sources, Backoff.standard(), new ChartNews(metrics, this::onChart));
    var chart = new CentralChart(settings.chart().reference(), charts);
    var all = new AllOwners();
    var deployed = new DeployedObjects();
    var counts = new RolloutCounts(metrics);
    var actions = new ReleaseActions(helm, rolloutSettings, counts, this::wake);
    this.engine = new Engine(helm, chart, counts, all, this::wake);
    var reserved = new ReservedNamespaces(settings.ownNamespaces());
    var tenantSettings =
        new TenantSettings(
            settings.watchNamespaces(),
            settings.centralValues(),
            BaseValue.installCrds(settings.chart().installCrds),
            reserved,
            settings.chart().allowSkip,
            settings.discovery().checkInterval);
    var listener = LoopMetrics.listener(ControllerNames.TENANTS, metrics);
    this.controller =
        new TenantController(
            settings.workerLimits(),
            deployed,
            TenantController.eventSource(settings.instanceName()),
            listener,
            owners ->
                new TenantReconciler(
                    owners,
                    new Rollout(chart, all, deployed, actions, rolloutSettings, clock, counts),
                    new TenantCleanup(
                        new Withdrawal(
                            helm,
                            deployed,
                            reserved,
                            rolloutSettings.uninstallTimeout(),
                            all,
                            clock,
                            this::wake)),
                    tenantSettings,
                    listener,
                    clock));
    if (settings.controllers().contains(ControllerNames.TENANTS)) {
      all.add(Owner.Kind.TENANT, controller);
      onChart(Owner.Kind.TENANT, controller::chartChanged);
    }
  }

  HelmCheck helmCheck() {
    return helmCheck;
  }

  /** Home has answered: whatever is read there can be read now. */
  void attach(KubernetesClient found) {
    home = found;
  }

  TenantController controller() {
    return controller;
  }

  Engine engine() {
    return engine;
  }

  /** Who hears whether the chart can be had that an owner of this kind asked for in vain. */
  void onChart(Owner.Kind kind, BiConsumer<Waiter, Boolean> user) {
    users.put(kind, user);
  }

  private void onChart(boolean good) {
    for (var waiter : engine.chart().takeWaiting()) {
      wake(waiter, good);
    }
  }

  private void wake(Waiter waiter) {
    wake(waiter, false);
  }

  private void wake(Waiter waiter, boolean fresh) {
    users.getOrDefault(waiter.kind(), (nobody, waits) -> {}).accept(waiter, fresh);
  }

  static DriftMode driftMode(Drift flag) {
    return switch (flag) {
      case enabled -> DriftMode.REPAIR;
      case warn -> DriftMode.WARN;
      case disabled -> DriftMode.IGNORE;
    };
  }

  void registerMetrics(Metrics metrics) {
    metrics.gauge("krypton_helm_processes", "Helm processes that run now", helm::processes);
    metrics.gauges(
        "krypton_tenants",
        "Tenants by cluster and phase",
        () ->
            controller.phases().stream()
                .map(
                    count ->
                        new Sample(
                            Map.of(
                                "cluster", count.cluster(),
                                "phase", count.phase().name().toLowerCase(Locale.ROOT)),
                            count.count()))
                .toList());
  }

  /** Ends Helm children; the controllers have stopped before. */
  @Override
  public void close() {
    helmCheck.close();
    helm.close();
    charts.close();
    sources.close();
  }
}
