// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.fleet.ClusterSummary.PhaseCounts;
import io.krypton.cli.fleet.FleetReader.Fleet;
import io.krypton.cli.fleet.FleetReader.FleetWatches;
import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.ObjectName.ObjectKind;
import io.krypton.cli.view.OutputOptions;
import io.krypton.cli.view.RolloutObjectReader;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.View;
import io.krypton.cli.view.View.WatchRegistry;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code krypton status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the fleet at a glance: clusters, Tenants by phase, KMS by cluster.",
      "Without a fleet in the namespace it shows the cluster itself."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:shown", "1:the cluster cannot be read", "2:bad usage or kubeconfig"})
public final class FleetStatusCommand implements Callable<Integer> {
  static final String THIS_CLUSTER = "(this cluster)";

  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final FleetOptions discovery = new FleetOptions();
  @Mixin private final OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws InterruptedException {
    return access.use(home -> output.show(watchRegistry -> view(home, watchRegistry)));
  }

  private View view(Session home, WatchRegistry watchRegistry) throws InterruptedException {
    watchRegistry.watch("kryptondeployments", home, FleetWatches.DEPLOYMENTS);
    var fleet = new FleetReader(home, discovery, watchRegistry).read();
    if (fleet.clusters().isEmpty()) {
      watchRegistry.watch("tenants", home, FleetWatches.TENANTS);
      watchRegistry.watch("kmshealths", home, FleetWatches.KMS_HEALTHS);
      fleet = new Fleet(List.of(homeSummary(home)), fleet.notes());
    }
    var where =
        "%s (context %s, namespace %s)"
            .formatted(
                home.server(), home.context(), discovery.allNamespaces ? "all" : home.namespace());
    return FleetViews.status(where, fleet, deployments(home));
  }

  private static ClusterSummary homeSummary(Session home) {
    var answer = FleetProber.probe(home.api());
    return ClusterSummary.of(THIS_CLUSTER, null, null, answer);
  }

  /** Null where there are none to be seen. */
  private @Nullable PhaseCounts deployments(Session home) {
    try {
      return PhaseCounts.of(
          RolloutObjectReader.list(
              home.api(), ObjectKind.KRYPTON_DEPLOYMENT, FleetWatches.DEPLOYMENTS));
    } catch (KubernetesClientException refused) {
      if (ApiErrors.isNotFound(refused) || ApiErrors.isForbidden(refused)) {
        return null;
      }
      throw refused;
    }
  }
}
