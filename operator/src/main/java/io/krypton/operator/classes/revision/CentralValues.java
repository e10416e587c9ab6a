// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import io.krypton.api.rollout.TargetSelector;
import io.krypton.base.crypto.Sha256;
import io.krypton.operator.release.values.ChartValues;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The central values of a class; later layers win.
 *
 * @param referenced what valuesFrom held
 * @param byCluster for the clusters that a selector matches; later ones win
 * @param inline what stands in the class itself
 */
public record CentralValues(
    ChartValues referenced, List<ForClusters> byCluster, ChartValues inline) {
  public static final CentralValues NONE =
      new CentralValues(ChartValues.empty(), List.of(), ChartValues.empty());

  public CentralValues {
    byCluster = List.copyOf(byCluster);
  }

  /** Values for some clusters. */
  public record ForClusters(TargetSelector clusters, ChartValues values) {}

  /** What releases on a cluster get beneath their owners' values. */
  public ChartValues on(Map<String, String> clusterLabels) {
    var values = referenced;
    for (var some : byCluster) {
      if (some.clusters().matches(clusterLabels)) {
        values = values.mergedWith(some.values());
      }
    }
    return values.mergedWith(inline);
  }

  /** The same values have the same text, in whichever layer they stand. */
  void addTo(Sha256 digest) {
    if (byCluster.isEmpty()) {
      add(digest, referenced.mergedWith(inline));
      return;
    }
    add(digest, referenced);
    for (var some : byCluster) {
      add(digest, some.clusters());
      add(digest, some.values());
    }
    add(digest, inline);
  }

  private static void add(Sha256 digest, ChartValues values) {
    for (var leaf : values.canonicalLeaves()) {
      digest.add(leaf).add((byte) 0);
    }
    digest.add((byte) 1);
  }

  private static void add(Sha256 digest, TargetSelector selector) {
    new TreeMap<>(selector.matchLabels())
        .forEach((key, value) -> digest.add(key).add((byte) 0).add(value).add((byte) 0));
    for (var requirement : selector.matchExpressions()) {
      digest.add(requirement.key()).add((byte) 0).add(String.valueOf(requirement.operator()));
      requirement.values().forEach(value -> digest.add((byte) 0).add(value));
    }
    digest.add((byte) 1);
  }
}
