// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.fleet.FleetReader.FleetWatches;
import io.krypton.cli.view.AccessOptions;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.OutputOptions;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.View;
import io.krypton.cli.view.View.WatchRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code krypton kms}. */
@Command(
    name = "kms",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Shows whether the KMS plugins of a cluster work and all its nodes agree on the key.",
      "Node by node; or with --fleet in one line for each cluster."
    },
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {"0:shown", "1:the cluster cannot be read", "2:bad usage or kubeconfig"})
public final class KmsCommand implements Callable<Integer> {
  @Mixin private final AccessOptions access = new AccessOptions();
  @Mixin private final FleetOptions discovery = new FleetOptions();
  @Mixin private final OutputOptions output = new OutputOptions();

  @Option(
      names = "--fleet",
      description = "The KMS of all clusters that home knows; -n is then home's namespace.")
  private boolean fleet;

  @Override
  public Integer call() throws InterruptedException {
    return access.use(
        session ->
            output.show(
                watchRegistry ->
                    fleet ? fleet(session, watchRegistry) : singleCluster(session, watchRegistry)));
  }

  private View fleet(Session home, WatchRegistry watchRegistry) throws InterruptedException {
    var read = new FleetReader(home, discovery, watchRegistry).read();
    return KmsViews.fleet(read.clusters(), read.notes());
  }

  private static View singleCluster(Session session, WatchRegistry watchRegistry) {
    watchRegistry.watch("kmshealths", session, FleetWatches.KMS_HEALTHS);
    try {
      return KmsViews.nodes(KmsHealthDocument.read(session.api()));
    } catch (KubernetesClientException refused) {
      if (!ApiErrors.isNotFound(refused)) {
        throw refused;
      }
    }
    ApiErrors.requireServed(session, List.of("kmshealths"));
    return KmsViews.fleet(
        new ArrayList<>(),
        List.of("no KmsHealth on %s: no reporter has reported yet".formatted(session.server())));
  }
}
