// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Secret;
import io.krypton.cli.settings.DurationConverter;
import io.krypton.cli.view.ObjectTree;
import io.krypton.cli.view.Session;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import picocli.CommandLine.Option;

/** Which Secrets stand for clusters, and how long each cluster may take to answer. */
public final class FleetOptions {
  @Option(
      names = {"-A", "--all-namespaces"},
      description = "All namespaces; for clusters: those of their Secrets.")
  boolean allNamespaces;

  @Option(
      names = "--kubeconfig-label",
      paramLabel = "LABEL",
      description = "Label of kubeconfig Secrets, as the operator has it.")
  String label = "sigs.k8s.io/multicluster-runtime-kubeconfig";

  @Option(
      names = "--kubeconfig-key",
      paramLabel = "KEY",
      description = "Data key of the kubeconfig in a Secret, as the operator has it.")
  String key = "kubeconfig";

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      defaultValue = "5s",
      description = "Longest wait for one cluster (all are asked at once); default: 5s.")
  Duration timeout = Duration.ofSeconds(5);

  /** The kubeconfig Secrets of home. */
  public List<Secret> secrets(Session home) {
    return home.api().list(selection(home).path()).stream().map(ObjectTree::secret).toList();
  }

  MetadataSelection selection(Session home) {
    return new MetadataSelection(
        "",
        "v1",
        "secrets",
        allNamespaces ? "" : home.namespace(),
        label + "=" + DiscoverySettings.LABEL_VALUE);
  }

  /** What a Secret holds, under the operator's policy. */
  public ParsedKubeconfig kubeconfig(Secret secret) {
    var encoded = secret.getData() == null ? null : secret.getData().get(key);
    return encoded == null
        ? new ParsedKubeconfig.Refused(
            "the Secret has no key " + key + "; store the kubeconfig under that key")
        : ParsedKubeconfig.parse(Base64.getDecoder().decode(encoded));
  }

  public Duration timeout() {
    return timeout;
  }
}
