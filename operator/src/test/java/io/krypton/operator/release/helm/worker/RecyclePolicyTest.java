// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecyclePolicyTest {
  private final RecyclePolicy policy = new RecyclePolicy(100, 1000, Duration.ofSeconds(60));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          young and small                              |  1 |   5 |  500 | 0 |
          old and small                                | 99 |  50 | 1000 | 0 |
          has done its operations, however young       |  1 | 100 |  500 | 0 | OPERATIONS
          too large, and just started: work explains it| 59 |   5 | 1001 | 0 |
          too large for a while                        | 60 |   5 | 1001 | 0 | MEMORY
          computes what nobody wants                   | 60 |   5 |  500 | 1 | STUCK
          just began to                                | 59 |   5 |  500 | 1 |
          """)
  void a_worker_is_replaced_for_a_reason(
      String rule,
      int seconds,
      int answers,
      long bytes,
      int lingering,
      @Nullable RestartReason reason) {
    var last = new WorkerResponse(1, "done", "", null, null, null, 0, "", "", bytes, lingering);
    assertThat(policy.reason(Duration.ofSeconds(seconds), answers, last))
        .as(rule)
        .isEqualTo(Optional.ofNullable(reason));
  }
}
