// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.time.Duration;
import java.util.Optional;

/** Tries credentials before they are stored: they must be accepted, work, and lead to home. */
final class SelfClusterCheck {
  private static final Duration VERSION_LIMIT = Duration.ofSeconds(5);

  private final ClientFactory clients;
  private final ClientSettings settings;
  private final KubernetesClient home;

  SelfClusterCheck(ClientFactory clients, ClientSettings settings, KubernetesClient home) {
    this.clients = clients;
    this.settings = settings;
    this.home = home;
  }

  /** Why these credentials do not do; empty if they do. */
  Optional<String> rejectionReason(LocalKubeconfig kubeconfig) throws InterruptedException {
    return switch (kubeconfig.content()) {
      case ParsedKubeconfig.Refused(var reason) -> Optional.of(reason);
      case ParsedKubeconfig.Accepted accepted -> rejectionReason(accepted);
    };
  }

  private Optional<String> rejectionReason(ParsedKubeconfig.Accepted accepted)
      throws InterruptedException {
    try (var connection = clients.connect("self-check", accepted, settings)) {
      return switch (connection.probe(VERSION_LIMIT)) {
        case ProbeResult.Failed(var clusterFailure) -> Optional.of(clusterFailure.message());
        case ProbeResult.Alive alive ->
            rejectionReason(ClusterConnection.clusterUid(connection.client()));
      };
    } catch (KubernetesClientException e) {
      return Optional.of(ClusterFailure.of(e).message());
    }
  }

  /**
   * Whether these credentials are of no use whatever happens: not readable, refused, or of another
   * cluster. No answer is no proof.
   */
  boolean isRefused(ParsedKubeconfig parsedKubeconfig) throws InterruptedException {
    return switch (parsedKubeconfig) {
      case ParsedKubeconfig.Refused refused -> true;
      case ParsedKubeconfig.Accepted accepted -> {
        try (var connection = clients.connect("self-check", accepted, settings)) {
          yield switch (connection.probe(VERSION_LIMIT)) {
            case ProbeResult.Failed(var clusterFailure) ->
                clusterFailure.kind() == ClusterFailure.Kind.CREDENTIALS_REFUSED;
            case ProbeResult.Alive alive -> {
              var theirs = ClusterConnection.clusterUid(connection.client());
              yield theirs.isPresent() && !theirs.equals(ClusterConnection.clusterUid(home));
            }
          };
        } catch (KubernetesClientException e) {
          yield false;
        }
      }
    };
  }

  private Optional<String> rejectionReason(Optional<String> theirs) {
    var ours = ClusterConnection.clusterUid(home);
    if (theirs.isEmpty() || ours.isEmpty()) {
      return Optional.of("the namespace kube-system, which tells clusters apart, is not there");
    }
    return theirs.equals(ours) ? Optional.empty() : Optional.of("they lead to another cluster");
  }
}
