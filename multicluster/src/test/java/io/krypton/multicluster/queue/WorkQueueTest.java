// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.time.Backoff;
import io.krypton.multicluster.queue.WorkQueue.QueueState;
import io.krypton.multicluster.queue.WorkQueue.RetryInfo;
import io.krypton.multicluster.queue.WorkQueue.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final WorkKey A1 = new WorkKey("a", "ns", "one");
  private static final WorkKey A2 = new WorkKey("a", "ns", "two");
  private static final WorkKey A3 = new WorkKey("a", "ns", "three");
  private static final WorkKey B1 = new WorkKey("b", "ns", "one");

  private final FakeNanos clock = new FakeNanos();
  private WorkQueue queue = queue(new ConcurrencyLimits(100, 50));

  private WorkQueue queue(ConcurrencyLimits concurrencyLimits) {
    var exact = Backoff.doubling(Duration.ofSeconds(5), Duration.ofSeconds(300));
    return new WorkQueue(concurrencyLimits, exact, clock, new Random(1));
  }

  private List<WorkKey> takeAll() {
    var keys = new ArrayList<WorkKey>();
    for (var next = queue.poll(); next.isPresent(); next = queue.poll()) {
      keys.add(next.get().key());
    }
    return keys;
  }

  @Test
  void a_key_added_twice_is_handed_out_once() {
    queue.add(A1);
    queue.add(A1);
    assertThat(takeAll()).containsExactly(A1);
  }

  @Test
  void a_key_added_while_it_runs_runs_again_afterwards_and_not_before() {
    queue.add(A1);
    takeAll();
    queue.add(A1);
    assertThat(takeAll()).isEmpty();
    queue.done(A1);
    assertThat(takeAll()).containsExactly(A1);
    queue.done(A1);
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void a_delayed_key_comes_when_it_is_due() {
    queue.addAfter(A1, SECOND);
    assertThat(takeAll()).isEmpty();
    clock.advance(SECOND);
    assertThat(takeAll()).containsExactly(A1);
  }

  @Test
  void the_earliest_of_several_delays_counts_and_an_immediate_add_beats_them_all() {
    queue.addAfter(A1, Duration.ofSeconds(9));
    queue.addAfter(A1, SECOND);
    queue.addAfter(A1, Duration.ofSeconds(5));
    queue.addAfter(A2, Duration.ofSeconds(9));
    queue.add(A2);
    assertThat(takeAll()).containsExactly(A2);
    queue.done(A2);
    clock.advance(SECOND);
    assertThat(takeAll()).containsExactly(A1);
    queue.done(A1);
    clock.advance(Duration.ofMinutes(1));
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void each_failure_waits_longer_until_a_success() {
    queue.add(A1);
    for (var seconds : List.of(5, 10, 20, 40, 80, 160, 300, 300)) {
      takeAll();
      assertThat(queue.retry(A1).delay()).isEqualTo(Duration.ofSeconds(seconds));
      clock.advance(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(takeAll()).isEmpty();
      clock.advance(Duration.ofNanos(1));
    }
    assertThat(queue.poll()).get().extracting(WorkItem::failures).isEqualTo(8);
    queue.done(A1);
    queue.add(A1);
    takeAll();
    assertThat(queue.retry(A1)).isEqualTo(new RetryInfo(1, Duration.ofSeconds(5)));
  }

  @Test
  void an_event_during_back_off_runs_the_key_at_once_and_keeps_its_failures() {
    queue.add(A1);
    takeAll();
    queue.retry(A1);
    queue.add(A1);
    assertThat(takeAll()).containsExactly(A1);
    assertThat(queue.retry(A1).failures()).isEqualTo(2);
  }

  @Test
  void a_patient_request_waits_for_the_end_of_a_back_off() {
    queue.add(A1);
    takeAll();
    queue.retry(A1);
    queue.addAfterBackoff(A1);
    assertThat(takeAll()).isEmpty();
    clock.advance(Duration.ofSeconds(5));
    assertThat(takeAll()).containsExactly(A1);
  }

  @Test
  void a_patient_request_during_a_run_is_answered_by_the_retry_of_that_run() {
    queue.add(A1);
    takeAll();
    queue.addAfterBackoff(A1);
    queue.retry(A1);
    assertThat(takeAll()).isEmpty();
    clock.advance(Duration.ofSeconds(5));
    assertThat(takeAll()).containsExactly(A1);
    queue.done(A1);
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void a_patient_request_is_not_lost_when_the_run_goes_well_and_does_not_wait_without_a_failure() {
    queue.add(A1);
    takeAll();
    queue.addAfterBackoff(A1);
    queue.requeue(A1, Duration.ofMinutes(1));
    assertThat(takeAll()).containsExactly(A1);
    queue.requeue(A1, Duration.ofMinutes(1));
    queue.addAfterBackoff(A1);
    queue.addAfterBackoff(A2);
    assertThat(takeAll()).containsExactly(A1, A2);
  }

  @Test
  void who_had_to_wait_for_something_else_fails_on_where_it_was() {
    queue.add(A1);
    takeAll();
    queue.retry(A1);
    clock.advance(Duration.ofSeconds(5));
    takeAll();
    queue.postpone(A1, SECOND);
    assertThat(takeAll()).isEmpty();
    clock.advance(SECOND);
    assertThat(takeAll()).containsExactly(A1);
    assertThat(queue.retry(A1)).isEqualTo(new RetryInfo(2, Duration.ofSeconds(10)));
  }

  @Test
  void a_patient_request_does_not_wait_where_the_pause_is_no_back_off() {
    queue.add(A1);
    takeAll();
    queue.retry(A1);
    clock.advance(Duration.ofSeconds(5));
    takeAll();
    queue.postpone(A1, Duration.ofMinutes(1));
    queue.addAfterBackoff(A1);
    assertThat(takeAll()).containsExactly(A1);
    queue.retry(A1);
    queue.addAfterBackoff(A1);
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void a_reset_makes_the_next_failure_the_first() {
    queue.add(A1);
    takeAll();
    queue.retry(A1);
    queue.resetBackoff(A1);
    queue.add(A1);
    takeAll();
    assertThat(queue.retry(A1).failures()).isEqualTo(1);
  }

  @Test
  void a_run_that_was_cut_short_comes_back_at_once_and_keeps_its_failures() {
    queue.add(A1);
    takeAll();
    queue.retry(A1);
    clock.advance(Duration.ofSeconds(5));
    takeAll();
    queue.putBack(A1);
    assertThat(queue.poll()).get().extracting(WorkItem::failures).isEqualTo(1);
  }

  @Test
  void clusters_take_turns_and_keys_of_one_cluster_come_in_order() {
    queue.add(A1);
    queue.add(A2);
    queue.add(A3);
    queue.add(B1);
    assertThat(takeAll()).containsExactly(A1, B1, A2, A3);
  }

  @Test
  void keys_of_one_cluster_come_in_the_order_in_which_they_became_due() {
    queue.addAfter(A1, SECOND);
    clock.advance(SECOND.multipliedBy(2));
    queue.add(A2);
    assertThat(queue.state().oldest()).isEqualTo(SECOND);
    assertThat(takeAll()).containsExactly(A1, A2);
  }

  @Test
  void ten_thousand_keys_of_one_cluster_delay_the_key_of_another_by_one_turn() {
    for (var i = 0; i < 10_000; i++) {
      queue.add(new WorkKey("a", "ns", "key-" + i));
    }
    queue.poll();
    queue.add(B1);
    queue.poll();
    assertThat(queue.poll()).get().extracting(WorkItem::key).isEqualTo(B1);
  }

  @Test
  void both_limits_hold() {
    queue = queue(new ConcurrencyLimits(3, 2));
    List.of(A1, A2, A3, B1, new WorkKey("c", "", "one")).forEach(queue::add);
    assertThat(takeAll()).containsExactly(A1, B1, new WorkKey("c", "", "one"));
    queue.done(B1);
    assertThat(takeAll()).as("the last place is kept for a cluster that has none").isEmpty();
    queue.done(new WorkKey("c", "", "one"));
    assertThat(takeAll()).containsExactly(A2);
    queue.done(A1);
    assertThat(takeAll()).containsExactly(A3);
  }

  @Test
  void however_many_keys_two_slow_clusters_have_a_third_one_finds_a_worker() {
    queue = queue(new ConcurrencyLimits(32, 16));
    for (var i = 0; i < 100; i++) {
      queue.add(new WorkKey("a", "ns", "key-" + i));
    }
    assertThat(takeAll()).hasSize(16);
    for (var i = 0; i < 100; i++) {
      queue.add(new WorkKey("b", "ns", "key-" + i));
    }
    assertThat(takeAll()).as("what is kept is not touched").hasSize(8);
    queue.add(new WorkKey("c", "ns", "one"));
    assertThat(takeAll()).containsExactly(new WorkKey("c", "ns", "one"));
  }

  @Test
  void a_postponed_key_keeps_its_failures_and_comes_at_once_when_called() {
    queue.add(A1);
    queue.poll();
    queue.retry(A1);
    clock.advance(Duration.ofMinutes(10));
    assertThat(queue.poll()).get().extracting(WorkItem::failures).isEqualTo(1);
    queue.postpone(A1, Duration.ofMinutes(1));
    assertThat(queue.poll()).isEmpty();
    queue.add(A1);
    assertThat(queue.poll()).get().extracting(WorkItem::failures).isEqualTo(1);
    queue.postpone(A1, Duration.ofMinutes(1));
    clock.advance(Duration.ofMinutes(1));
    assertThat(queue.poll()).as("at the latest after the pause").isPresent();
  }

  @Test
  void a_parked_cluster_keeps_its_keys_and_unparking_ends_their_back_off() {
    queue.add(A1);
    queue.add(A2);
    queue.poll();
    queue.retry(A1);
    queue.park("a");
    queue.add(B1);
    assertThat(takeAll()).containsExactly(B1);
    assertThat(queue.state()).extracting(QueueState::parked).isEqualTo(1);
    queue.unpark("a");
    assertThat(takeAll()).containsExactly(A2, A1);
  }

  @Test
  void a_dropped_cluster_loses_its_keys_and_the_others_do_not() {
    List.of(A1, A2, B1).forEach(queue::add);
    queue.addAfter(A3, SECOND);
    queue.drop("a");
    clock.advance(SECOND);
    assertThat(takeAll()).containsExactly(B1);
  }

  @Test
  void a_run_of_a_dropped_cluster_is_not_repeated_but_a_later_add_waits_for_its_end() {
    queue.add(A1);
    takeAll();
    queue.drop("a");
    queue.add(A1);
    assertThat(takeAll()).isEmpty();
    queue.retry(A1);
    assertThat(takeAll()).as("the add that came after the drop").containsExactly(A1);
    queue.drop("a");
    queue.retry(A1);
    clock.advance(Duration.ofHours(1));
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void a_forgotten_key_does_not_come() {
    queue.addAfter(A1, SECOND);
    queue.add(A2);
    queue.forget(A1);
    queue.forget(A2);
    queue.forget(A3);
    clock.advance(SECOND);
    assertThat(takeAll()).isEmpty();
  }

  @Test
  void a_held_queue_hands_out_nothing_and_loses_nothing() {
    queue.hold();
    queue.add(A1);
    assertThat(takeAll()).isEmpty();
    queue.release();
    assertThat(takeAll()).containsExactly(A1);
  }

  @Test
  void a_closed_queue_hands_out_and_accepts_nothing() throws Exception {
    queue.add(A1);
    queue.close();
    queue.add(A2);
    assertThat(queue.poll()).isEmpty();
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void ending_a_key_twice_is_a_bug_and_says_so() {
    queue.add(A1);
    takeAll();
    queue.done(A1);
    assertThatThrownBy(() -> queue.done(A1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a/ns/one");
  }

  @Test
  void the_state_counts_keys_and_knows_the_age_of_the_oldest() {
    List.of(A1, A2, B1).forEach(queue::add);
    queue.addAfter(A3, Duration.ofMinutes(1));
    queue.poll();
    clock.advance(SECOND);
    assertThat(queue.state()).isEqualTo(new QueueState(2, 0, 1, 1, SECOND));
  }
}
