// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.fleet.FleetReader.FleetWatches;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.ObjectName.ObjectKind;
import io.krypton.cli.view.RolloutObject;
import io.krypton.cli.view.RolloutObjectReader;
import io.krypton.cli.view.Session;
import io.krypton.multicluster.client.ApiReader;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.client.DirectApiReader;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Asks all clusters at once, each under the same policy on kubeconfigs as the operator's. */
final class FleetProber {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

  private final Session home;
  private final FleetOptions options;
  private final Duration timeout;

  FleetProber(Session home, FleetOptions choice) {
    this.home = home;
    this.options = choice;
    this.timeout = choice.timeout();
  }

  /** One answer for each Secret, in the same order. */
  List<FleetProbeResult> probe(List<Secret> secrets) throws InterruptedException {
    var executor = Executors.newVirtualThreadPerTaskExecutor();
    try {
      var asking =
          secrets.stream().map(secret -> (Callable<FleetProbeResult>) () -> probe(secret)).toList();
      var answers = executor.invokeAll(asking, timeout.toMillis(), TimeUnit.MILLISECONDS);
      var looks = new ArrayList<FleetProbeResult>();
      for (var answer : answers) {
        looks.add(result(answer));
      }
      return looks;
    } finally {
      // Not close(): whoever hangs in a connection must not hold up those who answered.
      executor.shutdownNow();
    }
  }

  private FleetProbeResult result(Future<FleetProbeResult> answer) throws InterruptedException {
    try {
      return answer.get();
    } catch (CancellationException late) {
      return new FleetProbeResult.Unreachable(
          "no answer within %d s".formatted(timeout.toSeconds()));
    } catch (ExecutionException failed) {
      return new FleetProbeResult.Unreachable(ClusterFailure.of(failed).message());
    }
  }

  private FleetProbeResult probe(Secret secret) throws InterruptedException {
    return switch (options.kubeconfig(secret)) {
      case ParsedKubeconfig.Refused(var reason) -> new FleetProbeResult.Rejected(reason);
      case ParsedKubeconfig.Accepted accepted -> probe(secret.getMetadata().getName(), accepted);
    };
  }

  private FleetProbeResult probe(String name, ParsedKubeconfig.Accepted accepted)
      throws InterruptedException {
    var settings =
        ClientSettings.remote("krypton-cli")
            .withoutRetries()
            .withTimeouts(CONNECT_TIMEOUT, timeout);
    if (!DirectApiReader.canReach(accepted)) {
      return probeByLibrary(name, accepted, settings);
    }
    try (var api = DirectApiReader.of(accepted, settings)) {
      return probe(api);
    } catch (KubernetesClientException failed) {
      return new FleetProbeResult.Unreachable(ClusterFailure.of(failed).message());
    }
  }

  private FleetProbeResult probeByLibrary(
      String name, ParsedKubeconfig.Accepted accepted, ClientSettings settings)
      throws InterruptedException {
    try (var connection = home.clients().connect(name, accepted, settings)) {
      return switch (connection.probe(timeout)) {
        case ProbeResult.Failed(var clusterFailure) ->
            new FleetProbeResult.Unreachable(clusterFailure.message());
        case ProbeResult.Alive alive -> probe(connection.reader());
      };
    }
  }

  /** Also for the cluster that the user is on, with the user's own access. */
  static FleetProbeResult.Reachable probe(ApiReader api) {
    var gaps = new StringJoiner("; ");
    return new FleetProbeResult.Reachable(
        api.get("/version").path("gitVersion").asText(""),
        tenants(api, gaps),
        kms(api, gaps),
        gaps.toString());
  }

  private static @Nullable List<RolloutObject> tenants(ApiReader api, StringJoiner gaps) {
    try {
      return RolloutObjectReader.list(api, ObjectKind.TENANT, FleetWatches.TENANTS);
    } catch (KubernetesClientException refused) {
      gaps.add(describeFailure("Tenants", refused));
      return null;
    }
  }

  private static @Nullable KmsHealthDocument kms(ApiReader api, StringJoiner gaps) {
    try {
      return KmsHealthDocument.read(api);
    } catch (KubernetesClientException refused) {
      if (!ApiErrors.isNotFound(refused)) {
        gaps.add(describeFailure("KmsHealth", refused));
      }
      return null;
    }
  }

  private static String describeFailure(String what, KubernetesClientException refused) {
    if (ApiErrors.isNotFound(refused)) {
      return what + ": not installed";
    }
    return ApiErrors.isForbidden(refused)
        ? what + ": not allowed"
        : what + ": " + ClusterFailure.of(refused).message();
  }
}
