// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.view.KubeconfigLocation.KubeconfigContexts;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a cluster is reached, with kubectl's flags and kubectl's order of sources. */
public final class AccessOptions {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Default: KUBECONFIG, else ~/.kube/config, else the pod's service account.")
  @Nullable String kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "Context in the kubeconfig; default: its current one.")
  @Nullable String context;

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAMESPACE",
      description = "Default: the namespace of the context.")
  @Nullable String namespace;

  /** What a command does with a cluster. */
  @FunctionalInterface
  public interface Work {
    int run(Session session) throws InterruptedException;
  }

  /** Connects, works, and turns what an API server or a network may say into one line. */
  public int use(Work work) throws InterruptedException {
    try (var session = connect()) {
      try {
        return work.run(session);
      } catch (KubernetesClientException failed) {
        throw ApiErrors.explained(failed, session);
      }
    }
  }

  private Session connect() {
    var choice =
        KubeconfigLocation.of(
            kubeconfig, System.getenv(), Path.of(System.getProperty("user.home", "/")));
    return switch (choice) {
      case KubeconfigLocation.FromFiles(var files) -> {
        var chosen = KubeconfigContexts.read(files).choose(context);
        var config =
            files.size() == 1
                ? Config.fromKubeconfig(chosen.name(), files.getFirst().toFile())
                : Config.autoConfigure(
                    chosen.name()); // It knows how the files of KUBECONFIG merge.
        yield open(config, chosen.name(), chosen.namespace());
      }
      case KubeconfigLocation.InCluster() -> {
        var config = Config.autoConfigure(null);
        var own = config.getNamespace();
        yield open(config, "in-cluster", own == null ? "default" : own);
      }
    };
  }

  private Session open(Config config, String contextName, String contextNamespace) {
    var clients = new ClientFactory(RequestObserver.none());
    var settings =
        ClientSettings.remote("krypton-cli")
            .withoutRetries()
            .withTimeouts(CONNECT_TIMEOUT, REQUEST_TIMEOUT);
    var wanted = namespace == null || namespace.isEmpty() ? contextNamespace : namespace;
    return new Session(
        clients, clients.connectTrusted(contextName, config, settings), contextName, wanted);
  }
}
