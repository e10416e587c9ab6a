// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.leader.LeadershipListener.Term;
import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LeaderElectionTest {
  private static final LeaseTimings QUICK =
      new LeaseTimings(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(100));
  private static final Duration SOON = Duration.ofSeconds(30);

  private final FakeLease lease = new FakeLease();
  private final List<LeaderElection> elections = new ArrayList<>();
  private final List<String> story = new CopyOnWriteArrayList<>();

  private LeaderElection stand(String name, Duration clockError) {
    var wallClock = InstantSource.offset(InstantSource.system(), clockError);
    var election =
        new LeaderElection(lease, name, QUICK, new Narrator(name), System::nanoTime, wallClock);
    elections.add(election);
    election.start();
    return election;
  }

  private LeaderElection stand(String name) {
    return stand(name, Duration.ZERO);
  }

  @AfterEach
  void stopAll() throws Exception {
    lease.fault(FakeLease.Fault.NONE);
    for (var election : elections) {
      election.stop();
    }
  }

  @Test
  void one_leads_the_other_follows_and_takes_over_at_once_when_the_lease_is_released()
      throws Exception {
    var first = stand("first");
    await().atMost(SOON).until(first::isLeading);
    var second = stand("second");
    await()
        .during(QUICK.leaseDuration().plusMillis(500))
        .atMost(SOON)
        .until(() -> !second.isLeading());
    first.stop();
    assertThat(lease.stored()).get().extracting(LeaseRecord::holder).isNotEqualTo(first.identity());
    await().atMost(SOON).until(second::isLeading);
    // The listener is called a moment after the term has begun.
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> assertThat(story).containsExactly("first leads", "first ends", "second leads"));
  }

  @Test
  void an_unreachable_server_ends_the_term_at_its_deadline_and_the_process_leads_again_later() {
    var only = stand("only");
    for (var fault : List.of(FakeLease.Fault.REFUSES, FakeLease.Fault.HANGS)) {
      // The listener is called a moment after the term has begun.
      await().atMost(SOON).until(() -> only.isLeading() && story.equals(List.of("only leads")));
      lease.fault(fault);
      await().atMost(SOON).until(() -> story.equals(List.of("only leads", "only ends")));
      assertThat(only.isLeading()).isFalse();
      story.clear();
      lease.fault(FakeLease.Fault.NONE);
    }
    await().atMost(SOON).until(only::isLeading);
  }

  @Test
  void a_renewal_whose_answer_was_lost_does_not_cost_the_term() {
    var only = stand("only");
    await().atMost(SOON).until(only::isLeading);
    var before = lease.stored().orElseThrow();
    lease.force(only.identity(), QUICK.leaseDuration());
    await().atMost(SOON).until(() -> renewedSince(before));
    assertThat(story).containsExactly("only leads");
  }

  private boolean renewedSince(LeaseRecord before) {
    return lease.stored().orElseThrow().renewed().isAfter(before.renewed());
  }

  @Test
  void a_lease_taken_by_somebody_else_ends_the_term_at_once() {
    var only = stand("only");
    await().atMost(SOON).until(only::isLeading);
    lease.force("usurper", Duration.ofMinutes(1));
    await().atMost(SOON).until(() -> story.contains("only ends"));
    await().during(QUICK.renewDeadline()).atMost(SOON).until(() -> !only.isLeading());
  }

  @Test
  void a_deleted_lease_is_written_again() {
    var only = stand("only");
    await().atMost(SOON).until(only::isLeading);
    lease.delete();
    await().atMost(SOON).until(() -> lease.stored().isPresent());
    assertThat(only.isLeading()).isTrue();
    assertThat(story).containsExactly("only leads");
  }

  @Test
  void wrong_wall_clocks_never_make_two_leaders() {
    var past = stand("past", Duration.ofMinutes(-1));
    await().atMost(SOON).until(past::isLeading);
    var future = stand("future", Duration.ofMinutes(1));
    await()
        .during(QUICK.leaseDuration().plusMillis(500))
        .atMost(SOON)
        .until(() -> past.isLeading() && !future.isLeading());
    lease.fault(FakeLease.Fault.LOSES_ANSWERS);
    await().atMost(SOON).until(() -> !past.isLeading());
    lease.fault(FakeLease.Fault.NONE);
    await().atMost(SOON).until(() -> past.isLeading() ^ future.isLeading());
    assertThat(overlaps()).isZero();
  }

  @Test
  void a_server_that_hangs_does_not_hold_up_the_stop() throws Exception {
    var longRenewDeadline =
        new LeaseTimings(Duration.ofMinutes(6), Duration.ofMinutes(4), Duration.ofMillis(100));
    var only = new LeaderElection(lease, "only", longRenewDeadline, new Narrator("only"));
    only.start();
    await().atMost(SOON).until(only::isLeading);
    lease.fault(FakeLease.Fault.HANGS);
    await().atMost(SOON).until(() -> lease.hanging() == 1);

    var begun = System.nanoTime();
    only.stop();

    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
    assertThat(story).containsExactly("only leads", "only ends");
  }

  @Test
  void a_silent_loop_can_be_noticed() {
    var only = stand("only");
    await().atMost(SOON).until(only::isLeading);
    await()
        .during(Duration.ofMillis(300))
        .atMost(SOON)
        .until(() -> only.sinceLastStep().compareTo(QUICK.renewDeadline()) < 0);
  }

  /** How often somebody began while another one had not ended. */
  private int overlaps() {
    var leading = 0;
    var overlaps = 0;
    for (var line : story) {
      leading += line.endsWith("leads") ? 1 : -1;
      overlaps += leading > 1 ? 1 : 0;
    }
    return overlaps;
  }

  private final class Narrator implements LeadershipListener {
    private final String name;

    Narrator(String name) {
      this.name = name;
    }

    @Override
    public void startedLeading(Term term) {
      story.add(name + " leads");
    }

    @Override
    public void stoppedLeading(Term term) {
      story.add(name + " ends");
    }
  }
}
