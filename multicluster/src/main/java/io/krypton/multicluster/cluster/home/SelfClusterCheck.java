package io.krypton.multicluster.cluster.home;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.client.Failure;
import io.krypton.multicluster.cluster.client.ProbeResult;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import io.krypton.multicluster.cluster.kubeconfig.LocalKubeconfig;
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
  Optional<String> objectionTo(LocalKubeconfig kubeconfig) throws InterruptedException {
    return switch (kubeconfig.content()) {
      case Kubeconfig.Refused(var reason) -> Optional.of(reason);
      case Kubeconfig.Accepted accepted -> objectionTo(accepted);
    };
  }

  private Optional<String> objectionTo(Kubeconfig.Accepted accepted) throws InterruptedException {
    try (var connection = clients.connect("self-check", accepted, settings)) {
      return switch (connection.probe(VERSION_LIMIT)) {
        case ProbeResult.Failed(var failure) -> Optional.of(failure.message());
        case ProbeResult.Alive alive -> objectionTo(identityOf(connection.client()));
      };
    } catch (KubernetesClientException e) {
      return Optional.of(Failure.of(e).message());
    }
  }

  /**
   * Whether these credentials are of no use whatever happens: not readable, refused, or of another
   * cluster. No answer is no proof.
   */
  boolean isRefused(Kubeconfig kubeconfig) throws InterruptedException {
    return switch (kubeconfig) {
      case Kubeconfig.Refused refused -> true;
      case Kubeconfig.Accepted accepted -> {
        try (var connection = clients.connect("self-check", accepted, settings)) {
          yield switch (connection.probe(VERSION_LIMIT)) {
            case ProbeResult.Failed(var failure) ->
                failure.kind() == Failure.Kind.CREDENTIALS_REFUSED;
            case ProbeResult.Alive alive -> {
              var theirs = identityOf(connection.client());
              yield theirs.isPresent() && !theirs.equals(identityOf(home));
            }
          };
        } catch (KubernetesClientException e) {
          yield false;
        }
      }
    };
  }

  private Optional<String> objectionTo(Optional<String> theirs) {
    var ours = identityOf(home);
    if (theirs.isEmpty() || ours.isEmpty()) {
      return Optional.of("the namespace kube-system, which tells clusters apart, is not there");
    }
    return theirs.equals(ours) ? Optional.empty() : Optional.of("they lead to another cluster");
  }

  private static Optional<String> identityOf(KubernetesClient client) {
    return Optional.ofNullable(client.namespaces().withName("kube-system").get())
        .map(namespace -> namespace.getMetadata().getUid());
  }
}
