// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutConditionTypes;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rolloutapproval.RolloutApprovalStatus;
import io.krypton.api.tenant.TenantConditionTypes;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ConditionReferenceTest {
  @Test
  void the_reference_page_lists_every_condition() throws IOException {
    new ReferencePage("conditions.md").mustBe(ConditionReference.page(), getClass());
  }

  @Test
  void every_type_is_described() {
    assertThat(ConditionReference.TYPES.keySet())
        .containsExactlyElementsOf(
            Stream.concat(
                    Stream.of(
                            RolloutConditionTypes.class,
                            TenantConditionTypes.class,
                            KmsHealthConditionTypes.class,
                            ChartRolloutConditionTypes.class)
                        .flatMap(words -> Reasons.of(words).stream()),
                    Stream.of(RolloutApprovalStatus.ACCEPTED))
                .distinct()
                .toList());
  }

  @Test
  void every_reason_says_what_to_do() {
    assertThat(ConditionReference.page()).doesNotContain("(not told)");
  }
}
