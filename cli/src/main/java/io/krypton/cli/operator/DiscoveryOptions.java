// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.crd.CrdInstaller;
import io.krypton.multicluster.home.HomeSource;
import io.krypton.multicluster.home.SelfClusterSettings.Mode;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.release.helm.MemoryPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How clusters are found, engaged and kept. */
final class DiscoveryOptions {
  @Option(
      names = "--kubeconfig-label",
      paramLabel = "LABEL",
      description = "Label that marks a kubeconfig Secret; its value must be true.")
  String label = "sigs.k8s.io/multicluster-runtime-kubeconfig";

  @Option(
      names = "--kubeconfig-key",
      paramLabel = "KEY",
      description = "Data key of the kubeconfig in a Secret.")
  String key = "kubeconfig";

  @Option(
      names = "--self-cluster",
      paramLabel = "MODE",
      description = "Secret for home itself: ${COMPLETION-CANDIDATES}.")
  SelfCluster selfCluster = SelfCluster.auto;

  @Option(
      names = "--self-cluster-full-file",
      arity = "0..1",
      fallbackValue = "true",
      paramLabel = "BOOL",
      description = "As a last resort store the whole kubeconfig file in that Secret.")
  boolean selfClusterFullFile;

  @Option(
      names = "--crd-policy",
      paramLabel = "POLICY",
      description = "CRDs on engaged clusters: ${COMPLETION-CANDIDATES}.")
  CrdPolicy crdPolicy = CrdPolicy.Create;

  @Option(
      names = "--check-interval",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "60s",
      description = "How often every object is reconciled again, from caches.")
  Duration checkInterval = Duration.ofMinutes(1);

  @Option(
      names = "--workers",
      paramLabel = "N",
      description = "Reconciles at once; default: 32, less with a small heap.")
  @Nullable Integer workers;

  @Option(
      names = "--kube-api-qps",
      paramLabel = "N",
      description = "API requests per second and cluster.")
  int qps = 100;

  @Option(
      names = "--kube-api-burst",
      paramLabel = "N",
      description = "API requests at once and cluster.")
  int burst = 200;

  OperatorSettings.Clusters toSettings() {
    return new OperatorSettings.Clusters(
        label,
        key,
        switch (selfCluster) {
          case auto -> Mode.AUTO;
          case always -> Mode.ALWAYS;
          case never -> Mode.NEVER;
        },
        selfClusterFullFile,
        switch (crdPolicy) {
          case Skip -> CrdInstaller.CrdPolicy.SKIP;
          case Create -> CrdInstaller.CrdPolicy.CREATE;
          case CreateReplace -> CrdInstaller.CrdPolicy.CREATE_REPLACE;
        },
        checkInterval,
        workerLimits(),
        qps,
        burst);
  }

  /** At most half of the workers for one cluster. */
  private ConcurrencyLimits workerLimits() {
    var all = workers == null ? MemoryPlan.ofThisProcess().workers() : workers;
    OperatorOptions.requirePositive("--workers", all);
    return new ConcurrencyLimits(all, Math.max(1, all / 2));
  }

  /** Lower case as users write it. */
  enum SelfCluster {
    auto,
    always,
    never
  }

  /** Spelled as users write it. */
  enum CrdPolicy {
    Skip,
    Create,
    CreateReplace
  }

  /** Which cluster is home, and which objects there matter. */
  static final class HomeOptions {
    private static final Path NAMESPACE_FILE =
        Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

    @Option(
        names = "--kubeconfig",
        paramLabel = "FILE",
        description = "The cluster the operator runs in; default: in-cluster, else ~/.kube/config.")
    @Nullable Path kubeconfig;

    @Option(
        names = "--namespace",
        paramLabel = "NAMESPACE",
        description = "Namespace of kubeconfig Secrets and of the leader Lease on home.")
    String namespace = "";

    @Option(
        names = "--watch-kubeconfig",
        paramLabel = "FILE",
        description = "File that leads to home, when that is another cluster.")
    @Nullable Path watchKubeconfig;

    @Option(
        names = "--watch-context",
        paramLabel = "CONTEXT",
        description = "Context in that file or Secret; default: its current one.")
    @Nullable String watchContext;

    @Option(
        names = "--watch-kubeconfig-secret",
        paramLabel = "NAME",
        description = "Secret that leads to home; awaited while missing, followed when it changes.")
    @Nullable String watchSecret;

    @Option(
        names = "--watch-kubeconfig-secret-namespace",
        paramLabel = "NAMESPACE",
        description = "Namespace of that Secret; default: --namespace.")
    @Nullable String watchSecretNamespace;

    @Option(
        names = "--watch-kubeconfig-secret-key",
        paramLabel = "KEY",
        description = "Data key in that Secret.")
    String watchSecretKey = "kubeconfig";

    @Option(
        names = "--ensure-watch-crds",
        arity = "0..1",
        fallbackValue = "true",
        paramLabel = "BOOL",
        description = "Create or upgrade Krypton's CRDs on home at start.")
    boolean ensureCrds;

    @Option(
        names = "--watch-namespaces",
        paramLabel = "LIST",
        description = "Comma list of namespaces whose objects are rolled out; empty or * = all.")
    String watchNamespaces = "";

    OperatorSettings.Home toSettings(Map<String, String> environment) {
      var host = HomeSource.host(kubeconfig, environment, Path.of(System.getProperty("user.home")));
      var pod =
          Optional.of(environment.getOrDefault("POD_NAMESPACE", "")).filter(it -> !it.isEmpty());
      var reserved = new HashSet<>(Set.of(homeNamespace()));
      pod.ifPresent(reserved::add);
      return new OperatorSettings.Home(
          source(host),
          host,
          homeNamespace(),
          pod.or(HomeOptions::mountedNamespace).orElseGet(this::homeNamespace),
          reserved,
          watchNamespaces(),
          ensureCrds);
    }

    private HomeSource source(HomeSource.Local host) {
      if (watchSecret != null) {
        var secretNamespace = watchSecretNamespace == null ? homeNamespace() : watchSecretNamespace;
        return new HomeSource.HostSecret(
            host, new SecretRef(secretNamespace, watchSecret), watchSecretKey, watchContext);
      }
      return watchKubeconfig == null ? host : HomeSource.Files.of(watchKubeconfig, watchContext);
    }

    private String homeNamespace() {
      return namespace.isEmpty() ? mountedNamespace().orElse("default") : namespace;
    }

    private static Optional<String> mountedNamespace() {
      try {
        return Files.exists(NAMESPACE_FILE)
            ? Optional.of(Files.readString(NAMESPACE_FILE).strip())
            : Optional.empty();
      } catch (IOException unreadable) {
        return Optional.empty();
      }
    }

    /** Empty means all. */
    private Set<String> watchNamespaces() {
      var names =
          Arrays.stream(watchNamespaces.split(","))
              .map(String::strip)
              .filter(name -> !name.isEmpty())
              .collect(Collectors.toSet());
      return names.contains("*") ? Set.of() : names;
    }
  }
}
