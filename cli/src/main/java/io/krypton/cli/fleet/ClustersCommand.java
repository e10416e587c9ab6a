// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.OutputOptions;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code krypton clusters}. */
@Command(
    name = "clusters",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows the clusters of the fleet: the labelled kubeconfig Secrets of the home cluster.",
      "Each one is asked now, all at once; a dead one is shown as such and holds up nobody."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:shown", "1:home cannot be read", "2:bad usage or kubeconfig"})
public final class ClustersCommand implements Callable<Integer> {
  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final FleetOptions discovery = new FleetOptions();
  @Mixin private final OutputOptions output = new OutputOptions();

  @Override
  public Integer call() throws InterruptedException {
    return access.use(
        home ->
            output.show(
                watchRegistry -> {
                  var fleet = new FleetReader(home, discovery, watchRegistry).read();
                  return FleetViews.clusters(fleet, Instant.now());
                }));
  }
}
