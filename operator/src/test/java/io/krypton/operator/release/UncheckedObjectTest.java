// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.event.EventReason;
import io.krypton.operator.release.UncheckedObject.Cause;
import java.util.List;
import org.junit.jupiter.api.Test;

class UncheckedObjectTest {
  private static final String TYPE = "DriftChecked";
  private static final Condition READY =
      Condition.of("Ready", ConditionStatus.TRUE, "Deployed", "release deployed");
  private static final UncheckedObject REFUSED =
      new UncheckedObject("Service/a/web", Cause.DRY_RUN_REFUSED, "HTTP 403: no");
  private static final UncheckedObject OLD =
      new UncheckedObject("Ingress/a/web", Cause.API_VERSION_NOT_SERVED, "v1beta1 is gone");

  private static List<Condition> after(List<Condition> before, UncheckedObject... unchecked) {
    return UncheckedObject.withCondition(before, TYPE, List.of(unchecked));
  }

  @Test
  void a_release_of_which_all_is_known_has_no_such_condition() {
    assertThat(after(List.of(READY))).containsExactly(READY);
  }

  @Test
  void what_is_not_known_is_told_beside_ready_the_gravest_reason_first() {
    assertThat(after(List.of(READY), OLD, REFUSED))
        .containsExactly(
            READY,
            Condition.of(
                TYPE,
                ConditionStatus.FALSE,
                "DryRunRefused",
                "Service/a/web: HTTP 403: no, Ingress/a/web: v1beta1 is gone"));
  }

  @Test
  void when_it_is_over_the_condition_says_so() {
    assertThat(after(after(List.of(READY), REFUSED)))
        .containsExactly(READY, Condition.of(TYPE, ConditionStatus.TRUE, "Checked", ""));
  }

  @Test
  void each_refusal_is_one_event() {
    var before = List.of(READY);
    var refused = after(before, REFUSED);

    assertThat(UncheckedObject.eventOnChange(before, refused, TYPE))
        .contains(
            new RolloutEventMessage(EventReason.DRY_RUN_REFUSED, "Service/a/web: HTTP 403: no"));
    assertThat(UncheckedObject.eventOnChange(refused, refused, TYPE)).isEmpty();
    assertThat(UncheckedObject.eventOnChange(refused, after(refused), TYPE)).isEmpty();
  }
}
