// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult.FailureReason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TenantEventsTest {
  @ParameterizedTest
  @EnumSource(FailureReason.class)
  void every_failure_has_its_warning(FailureReason reason) {
    var error = Condition.of("Error", ConditionStatus.TRUE, reason.value(), "why");

    assertThat(TenantEvents.ofError(error))
        .hasValueSatisfying(it -> assertThat(it.message()).isEqualTo("why"))
        .get()
        .matches(RolloutEventMessage::isWarning);
  }
}
