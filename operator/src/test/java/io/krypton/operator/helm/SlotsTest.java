package io.krypton.operator.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SlotsTest {
  private static final Duration NO_WAIT = Duration.ZERO;
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void one_cluster_never_takes_all() throws InterruptedException {
    var slots = new Slots(3, 2);
    assertThat(slots.acquire("slow", NO_WAIT)).isNotNull();
    assertThat(slots.acquire("slow", NO_WAIT)).isNotNull();
    assertThat(slots.acquire("slow", NO_WAIT)).isNull();
    assertThat(slots.acquire("other", NO_WAIT)).isNotNull();
    assertThat(slots.acquire("third", NO_WAIT)).isNull();
  }

  @Test
  void who_waits_for_a_crowded_cluster_keeps_no_turn_from_others() throws InterruptedException {
    var slots = new Slots(2, 1);
    var held = Objects.requireNonNull(slots.acquire("slow", NO_WAIT));
    var waiter = Thread.startVirtualThread(() -> take(slots, "slow"));
    await().atMost(LONG).until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
    assertThat(slots.acquire("other", NO_WAIT)).isNotNull();
    held.close();
    assertThat(waiter.join(LONG)).isTrue();
  }

  @Test
  void turns_come_in_the_order_of_asking() throws InterruptedException {
    var slots = new Slots(1, 1);
    var held = Objects.requireNonNull(slots.acquire("edge", NO_WAIT));
    var order = Collections.synchronizedList(new ArrayList<Integer>());
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 5; i++) {
      var number = i;
      var thread =
          Thread.startVirtualThread(
              () -> {
                var turn = take(slots, "edge");
                order.add(number);
                turn.close();
              });
      await().atMost(LONG).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
      threads.add(thread);
    }
    held.close();
    for (var thread : threads) {
      assertThat(thread.join(LONG)).isTrue();
    }
    assertThat(order).isEqualTo(List.of(0, 1, 2, 3, 4));
  }

  @Test
  void nothing_is_remembered_of_clusters_that_rest() throws InterruptedException {
    var slots = new Slots(1, 1);
    var held = Objects.requireNonNull(slots.acquire("edge", NO_WAIT));
    assertThat(slots.acquire("other", NO_WAIT)).isNull();
    assertThat(slots.clustersInUse()).isEqualTo(1);
    held.close();
    assertThat(slots.clustersInUse()).isZero();
  }

  private static Slots.Turn take(Slots slots, String cluster) {
    try {
      return Objects.requireNonNull(slots.acquire(cluster, LONG));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
