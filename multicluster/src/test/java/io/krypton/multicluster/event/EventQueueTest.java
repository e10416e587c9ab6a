// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.krypton.multicluster.event.EventQueue.EventRateLimiter;
import io.krypton.multicluster.event.EventRecorder.EventLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private static final Duration EVERY = Duration.ofMillis(40);

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

  private EventQueue queue(int waiting, int atOnce) {
    var limits =
        new EventLimits(
            Duration.ofMinutes(10),
            25,
            Duration.ofMinutes(1),
            Duration.ofSeconds(2),
            waiting,
            new EventRateLimiter.Rates(atOnce, EVERY, EVERY, Duration.ofSeconds(1), 1000));
    return new EventQueue(limits, System::nanoTime, now::get);
  }

  private static EventMessage message(EventMessage.Type type, String reason) {
    var about = new ConfigMapBuilder().withNewMetadata().withName("it").endMetadata().build();
    return type == EventMessage.Type.Normal
        ? EventMessage.normal(about, reason, "")
        : EventMessage.warning(about, reason, "");
  }

  private static List<String> taken(EventQueue queue, int count) throws InterruptedException {
    var reasons = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      reasons.add(queue.take().message().reason());
    }
    return reasons;
  }

  @Test
  void warnings_are_told_first_and_the_rest_in_the_order_it_happened() throws Exception {
    var queue = queue(10, 10);
    queue.offer(message(EventMessage.Type.Normal, "A"));
    queue.offer(message(EventMessage.Type.Normal, "B"));
    queue.offer(message(EventMessage.Type.Warning, "C"));
    queue.offer(message(EventMessage.Type.Warning, "D"));
    assertThat(taken(queue, 4)).containsExactly("C", "D", "A", "B");
  }

  @Test
  void a_few_are_told_at_once_and_further_ones_at_a_pace() throws Exception {
    var queue = queue(10, 2);
    for (var i = 0; i < 5; i++) {
      queue.offer(message(EventMessage.Type.Normal, "R" + i));
    }
    var begun = System.nanoTime();
    assertThat(taken(queue, 2)).containsExactly("R0", "R1");
    var first = System.nanoTime() - begun;
    assertThat(taken(queue, 3)).containsExactly("R2", "R3", "R4");
    var all = Duration.ofNanos(System.nanoTime() - begun);
    // The first two wait for nobody, however slow the machine: only a lower bound is sure of the
    // rest.
    assertThat(all).isGreaterThanOrEqualTo(EVERY.multipliedBy(3).minusNanos(first));
  }

  @Test
  void an_event_has_the_time_at_which_it_happened() throws Exception {
    var queue = queue(10, 10);
    queue.offer(message(EventMessage.Type.Normal, "A"));
    now.set(Instant.EPOCH.plusSeconds(60));
    assertThat(queue.take().since()).isEqualTo(Instant.EPOCH);
  }

  @Test
  void more_than_may_wait_are_refused() {
    var queue = queue(2, 10);
    assertThat(queue.offer(message(EventMessage.Type.Normal, "A"))).isTrue();
    assertThat(queue.offer(message(EventMessage.Type.Normal, "B"))).isTrue();
    assertThat(queue.offer(message(EventMessage.Type.Normal, "C"))).isFalse();
  }
}
