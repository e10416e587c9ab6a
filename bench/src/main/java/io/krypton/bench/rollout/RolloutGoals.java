// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a rollout should reach on two processors, by the name of the figure. */
final class RolloutGoals {
  /** Of the operator, for one release. */
  static final double REQUESTS = 10;

  /** Of an operator that has just started, by the plain loop. */
  static final double FRESH = 1.0;

  /** MiB of the operator with all its children. */
  static final double MEMORY = 300;

  static final String OF_HELM = "of-helm";

  private static final int LARGE = 100;
  private static final Map<String, Double> OF_SMALL = Map.of(OF_HELM, 1.1);
  private static final Map<String, Double> OF_LARGE =
      Map.of(
          OF_HELM,
          1.4,
          "upgrade-of-helm",
          1.4,
          "of-typed",
          2.8,
          "of-floor",
          0.4,
          "cpu-ours",
          55.0,
          "cpu-of-helm",
          0.8,
          "requests",
          REQUESTS);
  private static final Map<String, Double> OF_ONE =
      Map.of("single-median", 150.0, "single-p99", 350.0);
  private static final Map<String, Double> MEMORIES = Map.of("resident", 250.0, "memory", MEMORY);

  private RolloutGoals() {}

  /**
   * Few releases are over before an operator is under way, and its Lease weighs most there. Only
   * memory is promised for several clusters.
   */
  static Optional<Double> of(String name, int clusters, int tenants) {
    var goals = new HashMap<>(MEMORIES);
    if (clusters == 1) {
      goals.putAll(OF_ONE);
      goals.putAll(tenants < LARGE ? OF_SMALL : OF_LARGE);
    }
    return Optional.ofNullable(goals.get(name));
  }
}
