// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult.FailureReason;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeploymentEventsTest {
  @ParameterizedTest
  @EnumSource(
      value = FailureReason.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = "UNINSTALL_FAILED") // The listener emits it when it happens.
  void every_failure_has_its_warning(FailureReason reason) {
    var ready =
        Condition.of("Ready", ConditionStatus.FALSE, DeploymentEvents.reasonOf(reason), "why");

    assertThat(DeploymentEvents.ofChange(List.of(), List.of(ready), "eu"))
        .singleElement()
        .matches(RolloutEventMessage::isWarning);
  }
}
