// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.view.KubeconfigLocation.KubeconfigContexts;
import io.krypton.multicluster.client.ApiReader;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.DirectApiReader;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a cluster is reached, with kubectl's flags and kubectl's order of sources. */
public final class AccessOptions {
  // As patient as kubectl: one cluster that somebody named, with nothing else to show instead.
  private static final ClientSettings SETTINGS =
      ClientSettings.remote("krypton-cli")
          .withoutRetries()
          .withTimeouts(Duration.ofSeconds(30), Duration.ofSeconds(30));

  /** What the client library, as kubectl, takes a proxy from. */
  private static final List<String> PROXIES =
      List.of("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy");

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
        yield open(
            () ->
                files.size() == 1
                    ? Config.fromKubeconfig(chosen.name(), files.getFirst().toFile())
                    : Config.autoConfigure(
                        chosen.name()), // It knows how the files of KUBECONFIG merge.
            chosen.name(),
            chosen.namespace(),
            direct(files, chosen.name(), System.getenv()));
      }
      case KubeconfigLocation.InCluster() -> {
        var config = Config.autoConfigure(null);
        var own = config.getNamespace();
        yield open(() -> config, "in-cluster", own == null ? "default" : own, null);
      }
    };
  }

  /** Null where only the client library gets through: by programs for credentials, by proxies. */
  private static @Nullable ApiReader direct(
      List<Path> files, String context, Map<String, String> environment) {
    return PROXIES.stream().noneMatch(environment::containsKey)
            && LocalKubeconfig.read(files, context) instanceof LocalKubeconfig.Loaded.Found found
            && found.kubeconfig().content() instanceof ParsedKubeconfig.Accepted accepted
            && DirectApiReader.canReach(accepted)
        ? DirectApiReader.of(accepted, SETTINGS)
        : null;
  }

  private Session open(
      Supplier<Config> config,
      String contextName,
      String contextNamespace,
      @Nullable ApiReader direct) {
    var wanted = namespace == null || namespace.isEmpty() ? contextNamespace : namespace;
    return new Session(config, SETTINGS, contextName, wanted, direct);
  }
}
