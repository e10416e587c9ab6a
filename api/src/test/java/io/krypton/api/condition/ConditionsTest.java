package io.krypton.api.condition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
  private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-05-08T12:34:56.789Z");

  private static final List<Condition> STORED =
      List.of(
          Condition.of("Ready", ConditionStatus.TRUE, "Deployed", "all is well").since(LONG_AGO),
          Condition.of("Stalled", ConditionStatus.FALSE, "NotStalled", ""));

  @Test
  void the_time_stays_while_the_status_stays() {
    var next = Condition.of("Ready", ConditionStatus.TRUE, "Other", "other words");

    assertThat(Conditions.stamped(next, STORED, NOW)).isEqualTo(next.since(LONG_AGO));
  }

  @Test
  void the_time_moves_with_the_status_and_has_whole_seconds() {
    var next = Condition.of("Ready", ConditionStatus.UNKNOWN, "Progressing", "");

    assertThat(Conditions.stamped(next, STORED, NOW).lastTransitionTime())
        .isEqualTo("2026-05-08T12:34:56Z");
  }

  @Test
  void a_new_condition_and_one_stored_without_a_time_begin_now() {
    var fresh = Condition.of("Reconciling", ConditionStatus.TRUE, "Progressing", "");
    var timeless = Condition.of("Stalled", ConditionStatus.FALSE, "NotStalled", "");

    assertThat(Conditions.stamped(fresh, STORED, NOW)).isEqualTo(fresh.since(NOW));
    assertThat(Conditions.stamped(timeless, STORED, NOW)).isEqualTo(timeless.since(NOW));
  }

  @Test
  void a_condition_is_found_by_its_exact_type() {
    assertThat(Conditions.find(STORED, "Ready")).contains(STORED.getFirst());
    assertThat(Conditions.find(STORED, "ready")).isEmpty();
    assertThat(Conditions.isTrue(STORED, "Ready")).isTrue();
    assertThat(Conditions.isTrue(STORED, "Stalled")).isFalse();
    assertThat(Conditions.isTrue(STORED, "Absent")).isFalse();
  }

  @Test
  void the_generation_is_added_without_touching_the_rest() {
    var observed = STORED.getFirst().observedAt(7);

    assertThat(observed.observedGeneration()).isEqualTo(7);
    assertThat(observed.lastTransitionTime()).isEqualTo(LONG_AGO);
  }
}
