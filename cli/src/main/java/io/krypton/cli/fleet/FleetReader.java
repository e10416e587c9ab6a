// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.KryptonApi;
import io.krypton.cli.fleet.ClusterSummary.ReportedState;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.ObjectTree;
import io.krypton.cli.view.Session;
import io.krypton.cli.view.View.WatchRegistry;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the fleet that a home cluster knows, as far as the user's rights go. */
final class FleetReader {
  private final Session home;
  private final FleetOptions options;
  private final FleetWatches watches;
  private final List<String> notes = new ArrayList<>();

  FleetReader(Session home, FleetOptions choice, WatchRegistry watchRegistry) {
    this.home = home;
    this.options = choice;
    this.watches = new FleetWatches(home, choice, watchRegistry);
  }

  /** The clusters, and one line for each thing that could not be looked at. */
  record Fleet(List<ClusterSummary> clusters, List<String> notes) {}

  /** Never waits longer than the timeout for the clusters, however many are dead. */
  Fleet read() throws InterruptedException {
    watches.home();
    var secrets = secrets();
    var news = ReportedState.latestBySecret(events());
    if (secrets == null) {
      return new Fleet(fromEventsOnly(news), notes);
    }
    if (secrets.isEmpty()) {
      notes.add(
          "no Secret with the label %s=%s %s; name the operator's namespace with -n, or use -A"
              .formatted(options.label, DiscoverySettings.LABEL_VALUE, where()));
    }
    secrets.forEach(watches::watchCluster);
    var looks = new FleetProber(home, options).probe(secrets);
    var clusters = new ArrayList<ClusterSummary>();
    for (var i = 0; i < secrets.size(); i++) {
      var metadata = secrets.get(i).getMetadata();
      clusters.add(
          ClusterSummary.of(
              displayName(metadata),
              Age.parse(metadata.getCreationTimestamp()),
              news.get(key(metadata)),
              looks.get(i)));
    }
    return new Fleet(clusters, notes);
  }

  private @Nullable List<Secret> secrets() {
    try {
      return options.secrets(home);
    } catch (KubernetesClientException refused) {
      if (!ApiErrors.isForbidden(refused)) {
        throw refused;
      }
      notes.add(
          "you may not list Secrets %s, so clusters are known from events only and not looked at"
              .formatted(where()));
      return null;
    }
  }

  private List<Event> events() {
    try {
      var selection = watches.events().withFields("involvedObject.kind=Secret");
      return home.api().list(selection.path()).stream().map(ObjectTree::event).toList();
    } catch (KubernetesClientException refused) {
      if (!ApiErrors.isForbidden(refused)) {
        throw refused;
      }
      notes.add("you may not list Events %s, so the operator's view is missing".formatted(where()));
      return List.of();
    }
  }

  private List<ClusterSummary> fromEventsOnly(Map<String, ReportedState> news) {
    return new TreeSet<>(news.keySet())
        .stream()
            .map(
                secret ->
                    ClusterSummary.of(
                        options.allNamespaces ? secret : secret.substring(secret.indexOf('/') + 1),
                        null,
                        news.get(secret),
                        new FleetProbeResult.NotProbed()))
            .toList();
  }

  private String displayName(ObjectMeta metadata) {
    return options.allNamespaces ? key(metadata) : metadata.getName();
  }

  private static String key(ObjectMeta metadata) {
    return metadata.getNamespace() + "/" + metadata.getName();
  }

  private String where() {
    return options.allNamespaces ? "in any namespace" : "in namespace " + home.namespace();
  }

  /** What a look at the fleet depends on, at home and on each cluster that home knows. */
  static final class FleetWatches {
    static final MetadataSelection TENANTS = kryptonResources("tenants");
    static final MetadataSelection KMS_HEALTHS = kryptonResources("kmshealths");
    static final MetadataSelection DEPLOYMENTS = kryptonResources("kryptondeployments");

    private final Session home;
    private final FleetOptions options;
    private final WatchRegistry watchRegistry;

    FleetWatches(Session home, FleetOptions choice, WatchRegistry watchRegistry) {
      this.home = home;
      this.options = choice;
      this.watchRegistry = watchRegistry;
    }

    MetadataSelection events() {
      return new MetadataSelection(
          "", "v1", "events", options.allNamespaces ? "" : home.namespace(), "");
    }

    private static MetadataSelection kryptonResources(String plural) {
      return new MetadataSelection(KryptonApi.GROUP, KryptonApi.VERSION, plural, "", "");
    }

    /** Which clusters there are, and what the operator says about them. */
    void home() {
      watchRegistry.watch("secrets", home, options.selection(home));
      watchRegistry.watch("events", home, events());
    }

    /** What lives on a cluster. A new kubeconfig is a new key, and so a new connection. */
    void watchCluster(Secret secret) {
      if (options.kubeconfig(secret) instanceof ParsedKubeconfig.Accepted accepted) {
        var metadata = secret.getMetadata();
        var settings = ClientSettings.remote("krypton-cli").withoutRetries();
        watchRegistry.watch(
            "cluster %s/%s %s"
                .formatted(
                    metadata.getNamespace(), metadata.getName(), metadata.getResourceVersion()),
            () -> home.clients().connect(metadata.getName(), accepted, settings),
            List.of(TENANTS, KMS_HEALTHS));
      }
    }
  }
}
