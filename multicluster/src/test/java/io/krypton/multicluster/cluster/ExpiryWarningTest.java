// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.cluster.ClusterEventPublisher.ExpiryWarning;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpiryWarningTest {

  @ParameterizedTest(name = "{0} left: {1}")
  @CsvSource({
    "P30D, NONE",
    "P7DT1S, NONE",
    "P7D, WITHIN_A_WEEK",
    "P1DT1S, WITHIN_A_WEEK",
    "P1D, WITHIN_A_DAY",
    "PT1S, WITHIN_A_DAY",
    "PT0S, EXPIRED",
    "-P1D, EXPIRED"
  })
  void the_level_rises_with_time(Duration left, ExpiryWarning level) {
    var now = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(ExpiryWarning.at(now, now.plus(left))).isEqualTo(level);
  }
}
