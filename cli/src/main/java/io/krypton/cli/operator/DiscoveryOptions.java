package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
import java.nio.file.Path;
import java.time.Duration;
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
      description = "How often everything is looked at again, from caches.")
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
  }
}
