package io.krypton.cli.operator;

import io.krypton.cli.operator.RolloutOptions.AdoptNamespaces;
import io.krypton.cli.operator.RolloutOptions.Remediation;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.discovery.ClusterDiscovery;
import io.krypton.operator.deployed.DeployedObjects;
import io.krypton.operator.deployment.DeploymentCleanup;
import io.krypton.operator.deployment.DeploymentController;
import io.krypton.operator.deployment.DeploymentReconciler;
import io.krypton.operator.deployment.DeploymentSettings;
import io.krypton.operator.deployment.Edges;
import io.krypton.operator.deployment.Routing;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReleaseActions;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.rollout.Rollout;
import io.krypton.operator.rollout.RolloutSettings;
import io.krypton.operator.rollout.Withdrawal;
import io.krypton.operator.values.BaseValue;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Puts together what rolls out KryptonDeployments, on the same engine as Tenants. */
final class DeploymentWiring implements AutoCloseable {
  /** A region may be far away, and its cluster small. */
  private static final Duration HELM_TIMEOUT = Duration.ofMinutes(5);

  private final DeploymentController controller;

  DeploymentWiring(
      OperatorSettings settings,
      TenantWiring.Engine engine,
      ClusterRegistry registry,
      ClusterDiscovery discovery,
      Metrics metrics) {
    var clock = Clock.systemUTC();
    var rolloutSettings = rolloutSettings(settings.rollout(), engine.helm().instance());
    var routing = new Routing(settings.namespace(), settings.discovery().key);
    var reserved = new ReservedNamespaces(settings.ownNamespaces());
    var deploymentSettings =
        new DeploymentSettings(
            settings.watchNamespaces(),
            routing,
            settings.discovery().label,
            settings.centralValues(),
            BaseValue.oneReplica(),
            reserved,
            settings.chart().allowSkip,
            settings.discovery().checkInterval,
            settings.workerLimits(),
            settings.home().ensureCrds);
    var deployed = new DeployedObjects();
    var edges = new Edges(registry, discovery, deployed, routing);
    var actions =
        new ReleaseActions(engine.helm(), rolloutSettings, engine.counts(), engine.wake());
    var withdrawal =
        new Withdrawal(
            engine.helm(),
            deployed,
            reserved,
            rolloutSettings.uninstallTimeout(),
            engine.owners(),
            clock,
            engine.wake());
    var listener = LoopMetrics.listener(ControllerNames.DEPLOYMENTS, metrics);
    this.controller =
        new DeploymentController(
            deploymentSettings,
            edges,
            engine.helm()::stop,
            listener,
            home ->
                new DeploymentReconciler(
                    home,
                    edges,
                    new Rollout(
                        engine.chart(),
                        engine.owners(),
                        deployed,
                        actions,
                        rolloutSettings,
                        clock,
                        engine.counts()),
                    new DeploymentCleanup(withdrawal, deploymentSettings),
                    deploymentSettings,
                    listener,
                    clock));
    engine.owners().add(Owner.Kind.KRYPTON_DEPLOYMENT, controller);
  }

  private static RolloutSettings rolloutSettings(RolloutOptions options, String instance) {
    return new RolloutSettings(
        instance,
        options.helmTimeout == null ? HELM_TIMEOUT : options.helmTimeout,
        options.helmUninstallTimeout == null ? HELM_TIMEOUT : options.helmUninstallTimeout,
        options.readyTimeout,
        TenantWiring.driftMode(options.drift),
        options.remediation == Remediation.rollback,
        options.adoptNamespaces == AdoptNamespaces.any);
  }

  DeploymentController controller() {
    return controller;
  }

  void registerMetrics(Metrics metrics) {
    metrics.gauges(
        "krypton_deployments",
        "KryptonDeployments by region and phase",
        () ->
            controller.phases().stream()
                .map(
                    count ->
                        new Sample(
                            Map.of(
                                "region", count.region(),
                                "phase", count.phase().name().toLowerCase(Locale.ROOT)),
                            count.count()))
                .toList());
  }

  @Override
  public void close() {
    controller.close();
  }
}
