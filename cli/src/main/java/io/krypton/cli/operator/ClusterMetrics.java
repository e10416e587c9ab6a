package io.krypton.cli.operator;

import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterSnapshot;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Figures about the clusters themselves. */
final class ClusterMetrics {
  private static final List<String> STATES =
      List.of("Connecting", "Rejected", "Engaged", "Unreachable", "Disengaging");

  private ClusterMetrics() {}

  static void register(Metrics metrics, ClusterRegistry registry) {
    metrics.gauges("krypton_clusters", "Clusters by state", () -> byState(registry.clusters()));
    metrics.gauges(
        "krypton_cluster_up",
        "1 for a cluster that is engaged and answers",
        () ->
            registry.clusters().stream()
                .map(cluster -> new Sample(labels(cluster), cluster.isUp() ? 1 : 0))
                .toList());
    metrics.gauges(
        "krypton_cluster_credentials_expire_seconds",
        "Seconds until the credentials of a cluster end",
        () -> expiries(registry.clusters()));
  }

  /** Engagements, and how long the good ones took. */
  static void count(Metrics metrics, ClusterEvent event) {
    switch (event) {
      case ClusterEvent.Engaged(var cluster, var took) -> {
        engagement(metrics, event, "engaged");
        metrics.time("krypton_cluster_engage", Map.of("result", "engaged"), took);
      }
      case ClusterEvent.Rejected rejected -> engagement(metrics, event, "rejected");
      case ClusterEvent.Unreachable unreachable -> {
        if (!unreachable.wasEngaged()) {
          engagement(metrics, event, "unreachable");
        }
      }
      case ClusterEvent.Recovered ignored -> {}
      case ClusterEvent.Disengaged ignored -> {}
      case ClusterEvent.Duplicate ignored -> {}
      case ClusterEvent.StepNotice ignored -> {}
      case ClusterEvent.CredentialsExpiring ignored -> {}
    }
  }

  private static void engagement(Metrics metrics, ClusterEvent event, String result) {
    metrics.count(
        "krypton_cluster_engagements", Map.of("cluster", event.name().value(), "result", result));
  }

  private static List<Sample> byState(List<ClusterSnapshot> clusters) {
    var counts = new TreeMap<String, Integer>();
    STATES.forEach(state -> counts.put(state, 0));
    clusters.forEach(cluster -> counts.merge(cluster.state().word(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(count -> new Sample(Map.of("state", count.getKey()), count.getValue()))
        .toList();
  }

  private static List<Sample> expiries(List<ClusterSnapshot> clusters) {
    var samples = new ArrayList<Sample>();
    for (var cluster : clusters) {
      var expireAt = cluster.credentialsExpireAt();
      if (expireAt != null) {
        var left = Duration.between(Instant.now(), expireAt).toSeconds();
        samples.add(new Sample(labels(cluster), left));
      }
    }
    return samples;
  }

  private static Map<String, String> labels(ClusterSnapshot cluster) {
    return Map.of("cluster", cluster.name().value());
  }
}
