// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster is treated badly while its objects change: afterwards none has been missed. */
@ExtendWith(ControlPlaneExtension.class)
class FaultsIT {
  private static final Duration SOON = Duration.ofSeconds(40);
  private static final Duration SHORT = Duration.ofSeconds(2);

  /** Some seconds of a busy loop would be many hundreds. */
  private static final int MOST_REQUESTS = 150;

  private record Trial(Fault fault, boolean untilUnreachable) {}

  private static final List<Trial> TRIALS =
      List.of(
          new Trial(new Fault.Refuse(), true),
          new Trial(new Fault.BlackHole(), false),
          new Trial(Fault.answer(503), false),
          new Trial(Fault.answer(429).retryAfter(Duration.ofSeconds(1)), false),
          new Trial(Fault.answer(410), false),
          new Trial(new Fault.CutAfter(3000), false));

  private WorkingFleet fleet;
  private Workload workload;
  private FaultProxy proxy;
  private TestNamespace own;

  @BeforeEach
  void engage(@Cluster("home") TestNamespace home, @Cluster("west") TestNamespace west) {
    own = west;
    proxy = own.controlPlane().proxy();
    fleet = new WorkingFleet(home);
    workload = fleet.workload("bad", own, 10);
    fleet.fleet().store("bad", own.controlPlane().adminKubeconfig(proxy), true);
    awaitUpToDate();
  }

  @AfterEach
  void close() {
    fleet.close();
    proxy.close();
  }

  private void awaitUpToDate() {
    await().atMost(SOON).until(() -> fleet.isUpToDate("bad"));
  }

  @Test
  void after_every_fault_each_object_is_reconciled_at_its_last_version() {
    for (var trial : TRIALS) {
      var requests = fleet.fleet().requests("bad");
      proxy.inject(trial.fault());
      workload.changeAll();
      if (trial.untilUnreachable()) {
        fleet.fleet().events().await(ClusterEvent.Unreachable.class, "bad", SOON);
      } else {
        await("the fault lasts").pollDelay(SHORT).until(() -> fleet.controller().isAlive());
      }
      proxy.pass();
      workload.changeAll();
      awaitUpToDate();
      assertThat(fleet.fleet().requests("bad") - requests)
          .as("requests because of %s", trial.fault())
          .isLessThan(MOST_REQUESTS);
    }
    nothingWasLetGo();
    assertThat(fleet.fleet().events().all(ClusterEvent.Recovered.class, "bad"))
        .as("the long outage opened the circuit")
        .isNotEmpty();
  }

  @Test
  void a_killed_api_server_is_noticed_and_so_is_its_restart() {
    var requests = fleet.fleet().requests("bad");
    workload.changeAll();
    own.controlPlane().apiServer().kill();
    fleet.fleet().events().await(ClusterEvent.Unreachable.class, "bad", SOON);
    own.controlPlane().apiServer().start();
    fleet.fleet().events().await(ClusterEvent.Recovered.class, "bad", SOON);
    workload.changeAll();
    awaitUpToDate();
    assertThat(fleet.fleet().requests("bad") - requests).isLessThan(MOST_REQUESTS);
    nothingWasLetGo();
  }

  private void nothingWasLetGo() {
    assertThat(fleet.fleet().events().all(ClusterEvent.Disengaged.class, "bad")).isEmpty();
    assertThat(fleet.controller().isAlive()).isTrue();
  }
}
