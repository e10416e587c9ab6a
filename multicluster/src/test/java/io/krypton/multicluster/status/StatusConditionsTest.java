package io.krypton.multicluster.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusConditionsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

  private static Condition condition(String type, String status, String message) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus(status)
        .withReason("Tested")
        .withMessage(message)
        .build();
  }

  private static Condition at(Condition condition, String time) {
    return new ConditionBuilder(condition).withLastTransitionTime(time).build();
  }

  @Test
  void the_time_moves_only_when_the_status_does() {
    var live =
        List.of(
            at(condition("Ready", "True", "old text"), "2020-01-01T00:00:00Z"),
            at(condition("Stalled", "False", ""), "2020-01-01T00:00:00Z"));
    var wanted =
        List.of(
            condition("Ready", "True", "new text"),
            condition("Stalled", "True", ""),
            condition("Fresh", "Unknown", ""));
    assertThat(StatusConditions.withTransitionTimes(live, wanted, NOW))
        .containsExactly(
            at(condition("Ready", "True", "new text"), "2020-01-01T00:00:00Z"),
            at(condition("Stalled", "True", ""), "2026-01-02T03:04:05Z"),
            at(condition("Fresh", "Unknown", ""), "2026-01-02T03:04:05Z"));
  }

  @Test
  void an_object_without_conditions_starts_with_now() {
    assertThat(
            StatusConditions.withTransitionTimes(
                null, List.of(condition("Ready", "True", "")), NOW))
        .extracting(Condition::getLastTransitionTime)
        .containsExactly("2026-01-02T03:04:05Z");
    assertThat(StatusConditions.find(null, "Ready")).isEmpty();
  }
}
