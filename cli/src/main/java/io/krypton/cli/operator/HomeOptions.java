package io.krypton.cli.operator;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster is home, and which objects there matter. */
final class HomeOptions {
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
