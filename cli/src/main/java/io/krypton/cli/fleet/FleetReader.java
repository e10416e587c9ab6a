package io.krypton.cli.fleet;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.ApiErrors;
import io.krypton.cli.view.Follower;
import io.krypton.cli.view.Session;
import io.krypton.multicluster.cluster.discovery.DiscoverySettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the fleet that a home cluster knows, as far as the user's rights go. */
final class FleetReader {
  private final Session home;
  private final DiscoveryChoice choice;
  private final FleetFollowing following;
  private final List<String> notes = new ArrayList<>();

  FleetReader(Session home, DiscoveryChoice choice, Follower follower) {
    this.home = home;
    this.choice = choice;
    this.following = new FleetFollowing(home, choice, follower);
  }

  /** The clusters, and one line for each thing that could not be looked at. */
  record Fleet(List<ClusterView> clusters, List<String> notes) {}

  /** Never waits longer than the timeout for the clusters, however many are dead. */
  Fleet read() throws InterruptedException {
    following.home();
    var secrets = secrets();
    var news = ClusterNews.newest(events());
    if (secrets == null) {
      return new Fleet(fromNewsAlone(news), notes);
    }
    if (secrets.isEmpty()) {
      notes.add(
          "no Secret with the label %s=%s %s; name the operator's namespace with -n, or use -A"
              .formatted(choice.label, DiscoverySettings.LABEL_VALUE, where()));
    }
    secrets.forEach(following::cluster);
    var looks = new LiveLooks(home.clients(), choice).at(secrets);
    var clusters = new ArrayList<ClusterView>();
    for (var i = 0; i < secrets.size(); i++) {
      var metadata = secrets.get(i).getMetadata();
      clusters.add(
          ClusterView.of(
              shown(metadata),
              Age.parse(metadata.getCreationTimestamp()),
              news.get(key(metadata)),
              looks.get(i)));
    }
    return new Fleet(clusters, notes);
  }

  private @Nullable List<Secret> secrets() {
    try {
      return choice.secrets(home);
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
    var all = home.client().v1().events();
    try {
      return (choice.allNamespaces ? all.inAnyNamespace() : all.inNamespace(home.namespace()))
          .withField("involvedObject.kind", "Secret")
          .list()
          .getItems();
    } catch (KubernetesClientException refused) {
      if (!ApiErrors.isForbidden(refused)) {
        throw refused;
      }
      notes.add("you may not list Events %s, so the operator's view is missing".formatted(where()));
      return List.of();
    }
  }

  private List<ClusterView> fromNewsAlone(Map<String, ClusterNews> news) {
    return new TreeSet<>(news.keySet())
        .stream()
            .map(
                secret ->
                    ClusterView.of(
                        choice.allNamespaces ? secret : secret.substring(secret.indexOf('/') + 1),
                        null,
                        news.get(secret),
                        new LiveLook.NotAsked()))
            .toList();
  }

  private String shown(ObjectMeta metadata) {
    return choice.allNamespaces ? key(metadata) : metadata.getName();
  }

  private static String key(ObjectMeta metadata) {
    return metadata.getNamespace() + "/" + metadata.getName();
  }

  private String where() {
    return choice.allNamespaces ? "in any namespace" : "in namespace " + home.namespace();
  }
}
