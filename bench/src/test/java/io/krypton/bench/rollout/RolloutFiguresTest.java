// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.krypton.bench.harness.MemoryWatch.Resident;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.rollout.HelmComparison.Cost;
import io.krypton.bench.rollout.HelmComparison.Score;
import io.krypton.bench.rollout.HelmComparison.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RolloutFiguresTest {
  private static final Score SCORE =
      new Score(
          Map.of(
              Side.OPERATOR, new Cost(100, 10, 3, 2, 10, 900),
              Side.HELM, new Cost(100, 15, 0, 15, 10, 0),
              Side.TYPED, new Cost(100, 30, 0, 30, 20, 0),
              Side.FLOOR, new Cost(100, 5, 0, 0, 8, 0)));

  @Test
  void all_figures_of_a_score() {
    var values = new HashMap<String, Double>();
    all(new RolloutFigures(1, 100))
        .forEach(it -> values.put(it.id().replace("rollout/1x100/", ""), it.value()));

    assertThat(values)
        .contains(
            entry("operator-per-second", 10.0),
            entry("of-helm", 1.5),
            entry("upgrade-of-helm", 1.5),
            entry("of-typed", 3.0),
            entry("of-floor", 0.5),
            entry("requests", 9.0),
            entry("cpu-operator", 30.0),
            entry("cpu-helm", 20.0),
            entry("cpu-ours", 50.0),
            entry("cpu-of-helm", 0.6),
            entry("resident", 180.0),
            entry("memory", 240.0),
            entry("memory-helm", 70.0),
            entry("single-median", 100.0),
            entry("worker-killed-worst", 300.0));
  }

  @Test
  void a_large_rollout_has_a_goal_for_each_row_of_the_table() {
    assertThat(goals(new RolloutFigures(1, 300)))
        .containsOnly(
            entry("of-helm", 1.4),
            entry("upgrade-of-helm", 1.4),
            entry("of-typed", 2.8),
            entry("of-floor", 0.4),
            entry("requests", 10.0),
            entry("cpu-ours", 55.0),
            entry("cpu-of-helm", 0.8),
            entry("resident", 250.0),
            entry("memory", 300.0),
            entry("single-median", 150.0),
            entry("single-p99", 350.0));
  }

  @Test
  void ten_tenants_have_less_to_reach() {
    assertThat(goals(new RolloutFigures(1, 10)))
        .containsOnly(
            entry("of-helm", 1.1),
            entry("resident", 250.0),
            entry("memory", 300.0),
            entry("single-median", 150.0),
            entry("single-p99", 350.0));
  }

  @Test
  void two_clusters_have_goals_for_memory_only() {
    assertThat(goals(new RolloutFigures(2, 100)))
        .containsOnly(entry("resident", 250.0), entry("memory", 300.0));
  }

  private static Map<String, Double> goals(RolloutFigures figures) {
    var goals = new HashMap<String, Double>();
    all(figures)
        .forEach(
            it -> {
              var goal = it.goal();
              if (goal != null) {
                goals.put(it.id().substring(it.id().lastIndexOf('/') + 1), goal);
              }
            });
    return goals;
  }

  private static List<Figure> all(RolloutFigures figures) {
    var times = new Distribution(List.of(50.0, 100.0, 300.0));
    return Stream.of(
            figures.throughput(SCORE),
            figures.upgrades(SCORE),
            figures.baselines(SCORE),
            figures.costs(SCORE),
            figures.memory(180, new Resident(240, 70)),
            figures.singles(times),
            figures.afterKill(times))
        .flatMap(List::stream)
        .toList();
  }
}
