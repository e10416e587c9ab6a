// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.deployment.DeploymentCleanup;
import io.krypton.operator.deployment.DeploymentController;
import io.krypton.operator.deployment.DeploymentReconciler;
import io.krypton.operator.deployment.DeploymentSettings;
import io.krypton.operator.deployment.RegionClusters;
import io.krypton.operator.deployment.RegionRouting;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.observe.OperatorMetric;
import io.krypton.operator.release.HelmActions;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.Rollout;
import io.krypton.operator.release.inventory.InventoryInspector;
import io.krypton.operator.release.reconcile.StepProgress;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.time.Clock;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Puts together what rolls out KryptonDeployments, on the same engine as Tenants. */
final class DeploymentSetup implements AutoCloseable {
  /** A region may be far away, and its cluster small. */
  private static final Duration HELM_TIMEOUT = Duration.ofMinutes(5);

  private final DeploymentController controller;

  DeploymentSetup(
      OperatorSettings settings,
      TenantSetup.RolloutEngine rolloutEngine,
      TargetIndex targets,
      ClusterRegistry registry,
      ClusterProvider discovery,
      Metrics metrics) {
    var clock = Clock.systemUTC();
    var rolloutSettings =
        settings.rollout().forReleases(rolloutEngine.instance(), HELM_TIMEOUT, HELM_TIMEOUT);
    var regionRouting = new RegionRouting(settings.home().namespace(), settings.clusters().key());
    var reserved = new ReservedNamespaces(settings.home().reserved());
    var deploymentSettings =
        new DeploymentSettings(
            settings.home().watchNamespaces(),
            regionRouting,
            settings.clusters().label(),
            DefaultValue.oneReplica(),
            reserved,
            settings.chart().allowSkip(),
            settings.clusters().checkInterval(),
            settings.clusters().workers(),
            settings.home().ensureCrds());
    var deployed = new InventoryInspector();
    var regionClusters = new RegionClusters(registry, discovery, deployed, regionRouting);
    var actions =
        new HelmActions(
            rolloutEngine.helm(),
            rolloutSettings,
            rolloutEngine.rolloutMetrics(),
            rolloutEngine.enqueue());
    var releaseUninstaller =
        new ReleaseUninstaller(
            rolloutEngine.helm(),
            deployed,
            reserved,
            rolloutSettings.uninstallTimeout(),
            rolloutEngine.owners(),
            clock,
            rolloutEngine.enqueue());
    var listener = MetricsSetup.listener(ControllerName.DEPLOYMENTS, metrics);
    this.controller =
        new DeploymentController(
            deploymentSettings,
            regionClusters,
            rolloutEngine.helm()::stop,
            listener,
            home ->
                new DeploymentReconciler(
                    home,
                    regionClusters,
                    rolloutEngine.revisions(),
                    new Rollout(
                        rolloutEngine.charts(),
                        rolloutEngine.owners(),
                        deployed,
                        actions,
                        rolloutSettings,
                        clock,
                        rolloutEngine.rolloutMetrics()),
                    new DeploymentCleanup(releaseUninstaller, deploymentSettings),
                    deploymentSettings,
                    listener,
                    clock,
                    StepProgress.afterDelay()));
    targets.add(Owner.Kind.KRYPTON_DEPLOYMENT, controller.owners());
    rolloutEngine.owners().add(Owner.Kind.KRYPTON_DEPLOYMENT, controller);
  }

  DeploymentController controller() {
    return controller;
  }

  void registerMetrics(Metrics metrics) {
    metrics.gauges(
        OperatorMetric.DEPLOYMENTS,
        () ->
            controller.phases().stream()
                .map(
                    count ->
                        new Sample(
                            Map.of(
                                "region", count.group(),
                                "phase", count.phase().name().toLowerCase(Locale.ROOT)),
                            count.count()))
                .toList());
  }

  @Override
  public void close() {
    controller.close();
  }
}
