package io.krypton.cli.operator;

import io.krypton.cli.settings.DurationConverter;
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
}
