// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition.ConditionStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionListTest {
  private static final Instant LONG_AGO = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = Instant.parse("2026-05-08T12:34:56.789Z");

  private static final List<Condition> STORED =
      List.of(
          Condition.of("Ready", ConditionStatus.TRUE, "Deployed", "all is well").since(LONG_AGO),
          Condition.of("Stalled", ConditionStatus.FALSE, "NotStalled", ""));

  @Test
  void the_time_stays_while_the_status_stays() {
    var next = Condition.of("Ready", ConditionStatus.TRUE, "Other", "other words");

    assertThat(ConditionList.withTransitionTime(next, STORED, NOW)).isEqualTo(next.since(LONG_AGO));
  }

  @Test
  void the_time_moves_with_the_status_and_has_whole_seconds() {
    var next = Condition.of("Ready", ConditionStatus.UNKNOWN, "Progressing", "");

    assertThat(ConditionList.withTransitionTime(next, STORED, NOW).lastTransitionTime())
        .isEqualTo("2026-05-08T12:34:56Z");
  }

  @Test
  void a_new_condition_and_one_stored_without_a_time_begin_now() {
    var fresh = Condition.of("Reconciling", ConditionStatus.TRUE, "Progressing", "");
    var timeless = Condition.of("Stalled", ConditionStatus.FALSE, "NotStalled", "");

    assertThat(ConditionList.withTransitionTime(fresh, STORED, NOW)).isEqualTo(fresh.since(NOW));
    assertThat(ConditionList.withTransitionTime(timeless, STORED, NOW))
        .isEqualTo(timeless.since(NOW));
  }

  @Test
  void a_condition_is_found_by_its_exact_type() {
    assertThat(ConditionList.find(STORED, "Ready")).contains(STORED.getFirst());
    assertThat(ConditionList.find(STORED, "ready")).isEmpty();
    assertThat(ConditionList.isTrue(STORED, "Ready")).isTrue();
    assertThat(ConditionList.isTrue(STORED, "Stalled")).isFalse();
    assertThat(ConditionList.isTrue(STORED, "Absent")).isFalse();
  }

  @Test
  void the_generation_is_added_without_touching_the_rest() {
    var observed = STORED.getFirst().observedAt(7);

    assertThat(observed.observedGeneration()).isEqualTo(7);
    assertThat(observed.lastTransitionTime()).isEqualTo(LONG_AGO);
  }
}
