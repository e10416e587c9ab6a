// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Clusters come and go while objects on all of them change and are reconciled. */
@ExtendWith(ControlPlaneExtension.class)
class ComeAndGoIT {
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(30);

  @Test
  void each_change_of_a_secret_takes_effect_while_reconciles_run(
      @Cluster("home") TestNamespace home,
      @Cluster("east") TestNamespace east,
      @Cluster("west") TestNamespace west) {
    try (var fleet = new WorkingFleet(home)) {
      var easts = fleet.workload("east", east, 5);
      var wests = fleet.workload("west", west, 5);
      Workload.changing(PAUSE, List.of(easts, wests), () -> comeAndGo(fleet, east, west));

      await().atMost(START).until(() -> fleet.isUpToDate("east") && fleet.isUpToDate("west"));
      assertThat(fleet.fleet().events().all(ClusterEvent.Disengaged.class, "west")).isEmpty();
    }
  }

  private static void comeAndGo(WorkingFleet working, TestNamespace east, TestNamespace west) {
    var fleet = working.fleet();
    fleet.store("west", west.controlPlane().adminKubeconfig(), true);
    await().atMost(START).until(() -> working.runs("west").size() > 10);

    fleet.store("east", east.controlPlane().adminKubeconfig(), true);
    worksAnew(working);
    fleet.store("east", east.controlPlane().kubeconfigFor("other", "system:masters"), true);
    worksAnew(working);

    fleet.label("east", "false");
    rests(working);
    fleet.label("east", "true");
    worksAnew(working);

    fleet.delete("east");
    rests(working);
    fleet.store("east", east.controlPlane().adminKubeconfig(), true);
    worksAnew(working);
  }

  /** A run with a client that no run had before, and the other cluster goes on. */
  private static void worksAnew(WorkingFleet fleet) {
    var west = fleet.runs("west").size();
    var before = fleet.runs("east").stream().map(WorkingFleet.Run::by).distinct().toList();
    await("a run with the new client")
        .pollInterval(Duration.ofMillis(20))
        .atMost(START)
        .until(() -> fleet.runs("east").stream().anyMatch(run -> !before.contains(run.by())));
    await().atMost(START).until(() -> fleet.runs("west").size() > west + 10);
  }

  /** Let go; then no run any more, while the other cluster goes on. */
  private static void rests(WorkingFleet fleet) {
    fleet.fleet().events().await(ClusterEvent.Disengaged.class, "east", START);
    fleet.fleet().events().forget();
    // A run that was under way may still end.
    await()
        .atMost(START)
        .untilAsserted(
            () -> {
              var east = fleet.runs("east").size();
              var west = fleet.runs("west").size();
              await().atMost(START).until(() -> fleet.runs("west").size() > west + 10);
              assertThat(fleet.runs("east")).hasSize(east);
            });
  }
}
