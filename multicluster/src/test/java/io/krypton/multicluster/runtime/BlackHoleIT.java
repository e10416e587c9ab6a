// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One of three clusters swallows everything; the others do not notice. */
@ExtendWith(ControlPlaneExtension.class)
class BlackHoleIT {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(20);

  /** Less than a request to the cluster in the black hole takes, more than any noise. */
  private static final Duration HANG = Duration.ofSeconds(10);

  private static final int ROUNDS = 3;
  private static final int RUNS_PER_ROUND = 150;

  @Test
  void the_others_see_each_change_while_it_lasts(
      @Cluster("home") TestNamespace home,
      @Cluster("east") TestNamespace east,
      @Cluster("west") TestNamespace west) {
    var without = new ArrayList<List<Duration>>();
    var with = new ArrayList<List<Duration>>();
    try (var proxy = home.controlPlane().proxy();
        var fleet = new WorkingFleet(home)) {
      var dark = fleet.workload("dark", home, 20);
      var easts = fleet.workload("east", east, 10);
      var wests = fleet.workload("west", west, 10);
      fleet.fleet().store("dark", home.controlPlane().adminKubeconfig(proxy), true);
      fleet.fleet().store("east", east.controlPlane().adminKubeconfig(), true);
      fleet.fleet().store("west", west.controlPlane().adminKubeconfig(), true);
      for (var cluster : List.of("dark", "east", "west")) {
        fleet.fleet().events().await(ClusterEvent.Engaged.class, cluster, START);
      }
      Workload.changing(
          PAUSE,
          List.of(dark, easts, wests),
          () -> {
            await().atMost(START).until(() -> healthyRuns(fleet) > RUNS_PER_ROUND);
            for (var round = 0; round < ROUNDS; round++) {
              without.add(measure(fleet, easts, wests));
              proxy.injectKeepingConnections(new Fault.BlackHole());
              fleet.wakeAll("dark"); // so that as many runs as one cluster may have hang
              with.add(measure(fleet, easts, wests));
              proxy.injectKeepingConnections(new Fault.Pass());
              var seen = fleet.runs("dark").size();
              await().atMost(START).until(() -> fleet.runs("dark").size() > seen);
            }
          });
    }
    var usual = quietestP99(without);
    var beside = quietestP99(with);
    System.out.printf(
        "p99 of a reconcile: %d ms with three healthy clusters, %d ms beside a black hole%n",
        usual.toMillis(), beside.toMillis());
    assertThat(beside).as("a shared hang is longer").isLessThan(usual.plus(HANG));
  }

  /** A busy machine only ever adds to a latency; what a black hole added would be in each round. */
  private static Duration quietestP99(List<List<Duration>> rounds) {
    return rounds.stream().map(BlackHoleIT::p99).min(Duration::compareTo).orElseThrow();
  }

  private static int healthyRuns(WorkingFleet fleet) {
    return fleet.runs("east").size() + fleet.runs("west").size();
  }

  /** From each change's confirmation to the end of the first run that saw it, for a while. */
  private static List<Duration> measure(WorkingFleet fleet, Workload easts, Workload wests) {
    var from = System.nanoTime();
    var before = healthyRuns(fleet);
    await().atMost(START).until(() -> healthyRuns(fleet) > before + RUNS_PER_ROUND);
    var until = System.nanoTime();
    // Changes of the last moments may still be under way.
    await()
        .atMost(START)
        .until(
            () -> seenUntil(fleet, "east", easts, until) && seenUntil(fleet, "west", wests, until));
    var latencies = new ArrayList<Duration>();
    latencies.addAll(latencies(fleet.runs("east"), easts, from, until));
    latencies.addAll(latencies(fleet.runs("west"), wests, from, until));
    return latencies;
  }

  private static boolean seenUntil(
      WorkingFleet fleet, String cluster, Workload workload, long until) {
    var firstRuns = byVersion(fleet.runs(cluster));
    return workload.confirmed().entrySet().stream()
        .filter(change -> change.getValue() < until)
        .allMatch(
            change ->
                firstRuns
                        .getOrDefault(change.getKey().name(), new TreeMap<>())
                        .ceilingEntry(change.getKey().version())
                    != null);
  }

  private static List<Duration> latencies(
      List<WorkingFleet.Run> runs, Workload workload, long from, long until) {
    var firstRuns = byVersion(runs);
    var latencies = new ArrayList<Duration>();
    workload
        .confirmed()
        .forEach(
            (change, at) -> {
              if (at > from && at < until) {
                var ended =
                    firstRuns
                        .getOrDefault(change.name(), new TreeMap<>())
                        .tailMap(change.version(), true)
                        .values()
                        .stream()
                        .mapToLong(Long::longValue)
                        .min()
                        .orElseThrow();
                latencies.add(Duration.ofNanos(Math.max(0, ended - at)));
              }
            });
    return latencies;
  }

  private static Map<String, NavigableMap<Long, Long>> byVersion(List<WorkingFleet.Run> runs) {
    var ends = new HashMap<String, NavigableMap<Long, Long>>();
    runs.forEach(
        run ->
            ends.computeIfAbsent(run.name(), unknown -> new TreeMap<>())
                .merge(run.version(), run.atNanos(), Math::min));
    return ends;
  }

  private static Duration p99(List<Duration> samples) {
    var sorted = samples.stream().sorted().toList();
    return sorted.get((int) Math.ceil(sorted.size() * 0.99) - 1);
  }
}
