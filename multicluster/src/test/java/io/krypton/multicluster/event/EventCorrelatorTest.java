// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.krypton.multicluster.event.EventCorrelator.Decision;
import io.krypton.multicluster.event.EventQueue.EventRateLimiter;
import io.krypton.multicluster.event.EventRecorder.EventLimits;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class EventCorrelatorTest {
  private final AtomicLong clock = new AtomicLong();
  private final EventLimits limits =
      new EventLimits(
          Duration.ofMinutes(10),
          3,
          Duration.ofMinutes(1),
          Duration.ofSeconds(2),
          10,
          EventRateLimiter.Rates.standard());
  private final EventCorrelator history = new EventCorrelator(limits, clock::get);

  private static EventMessage about(String object, String message) {
    var map = new ConfigMapBuilder().withNewMetadata().withNamespace("ns").withName(object);
    return EventMessage.normal(map.endMetadata().build(), "Tested", message);
  }

  private void pass(Duration time) {
    clock.addAndGet(time.toNanos());
  }

  @Test
  void a_repetition_within_ten_minutes_raises_the_count_and_a_later_one_is_new() {
    var first = about("a", "text");
    assertThat(history.correlate(first)).isEqualTo(new Decision.Create());
    history.recorded(first, "a.1", 1);
    pass(Duration.ofMinutes(9));
    assertThat(history.correlate(about("a", "text"))).isEqualTo(new Decision.Increment("a.1", 2));
    history.recorded(first, "a.1", 2);
    pass(Duration.ofMinutes(9));
    assertThat(history.correlate(about("a", "text"))).isEqualTo(new Decision.Increment("a.1", 3));
    pass(Duration.ofMinutes(10));
    assertThat(history.correlate(about("a", "text"))).isEqualTo(new Decision.Create());
  }

  @Test
  void another_object_or_another_text_is_another_event() {
    history.recorded(about("a", "text"), "a.1", 1);
    assertThat(history.correlate(about("b", "text"))).isEqualTo(new Decision.Create());
    assertThat(history.correlate(about("a", "other"))).isEqualTo(new Decision.Create());
  }

  @Test
  void an_object_that_tells_too_much_is_silenced_for_a_while_and_others_are_not() {
    for (var i = 0; i < 3; i++) {
      assertThat(history.correlate(about("a", "text " + i))).isEqualTo(new Decision.Create());
    }
    assertThat(history.correlate(about("a", "one more"))).isEqualTo(new Decision.Suppress());
    assertThat(history.correlate(about("b", "text"))).isEqualTo(new Decision.Create());
    pass(Duration.ofMinutes(1));
    assertThat(history.correlate(about("a", "one more"))).isEqualTo(new Decision.Create());
    assertThat(history.correlate(about("a", "and more"))).isEqualTo(new Decision.Suppress());
  }

  @Test
  void a_long_message_is_cut_at_a_character_and_ends_with_an_ellipsis() {
    assertThat(about("a", "x".repeat(1024)).message()).hasSize(1024).doesNotContain("…");
    assertThat(about("a", "x".repeat(1025)).message()).hasSize(1024).endsWith("x…");
    assertThat(about("a", "x".repeat(1022) + "😀".repeat(9)).message())
        .hasSize(1023)
        .endsWith("x…");
  }
}
