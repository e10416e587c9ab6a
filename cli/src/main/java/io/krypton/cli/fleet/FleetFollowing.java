package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Secret;
import io.krypton.api.KryptonApi;
import io.krypton.cli.view.Follower;
import io.krypton.cli.view.Session;
import io.krypton.multicluster.cluster.client.ClientSettings;
import io.krypton.multicluster.cluster.discovery.DiscoverySettings;
import io.krypton.multicluster.cluster.kubeconfig.Kubeconfig;
import io.krypton.multicluster.watch.MetadataSelection;
import java.util.List;

/** What a look at the fleet depends on, at home and on each cluster that home knows. */
final class FleetFollowing {
  static final MetadataSelection TENANTS = ours("tenants");
  static final MetadataSelection KMS_HEALTHS = ours("kmshealths");
  static final MetadataSelection DEPLOYMENTS = ours("kryptondeployments");

  private final Session home;
  private final DiscoveryChoice choice;
  private final Follower follower;

  FleetFollowing(Session home, DiscoveryChoice choice, Follower follower) {
    this.home = home;
    this.choice = choice;
    this.follower = follower;
  }

  private static MetadataSelection ours(String plural) {
    return new MetadataSelection(KryptonApi.GROUP, KryptonApi.VERSION, plural, "", "");
  }

  /** Which clusters there are, and what the operator says about them. */
  void home() {
    follower.follow(
        "secrets",
        home.client(),
        core("secrets").withLabels(choice.label + "=" + DiscoverySettings.LABEL_VALUE));
    follower.follow("events", home.client(), core("events"));
  }

  private MetadataSelection core(String plural) {
    return new MetadataSelection(
        "", "v1", plural, choice.allNamespaces ? "" : home.namespace(), "");
  }

  /** What lives on a cluster. A new kubeconfig is a new key, and so a new connection. */
  void cluster(Secret secret) {
    if (choice.kubeconfig(secret) instanceof Kubeconfig.Accepted accepted) {
      var metadata = secret.getMetadata();
      var settings = ClientSettings.remote("krypton-cli").withoutRetries();
      follower.follow(
          "cluster %s/%s %s"
              .formatted(
                  metadata.getNamespace(), metadata.getName(), metadata.getResourceVersion()),
          () -> home.clients().connect(metadata.getName(), accepted, settings),
          List.of(TENANTS, KMS_HEALTHS));
    }
  }
}
