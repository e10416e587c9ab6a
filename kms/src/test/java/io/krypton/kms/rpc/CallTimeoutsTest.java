// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.rpc.UnaryCall.CallTimeouts;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallTimeoutsTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a cold JVM gets time of its own             | PT1S    | PT0S   | PT8S  | 1000000u
          what is left of it later                    | PT1S    | PT5S   | PT3S  | 1000000u
          a warm one as long as the plugin            | PT3S    | PT8S   | PT3S  | 3000000u
          and a second at the least                   | PT0.1S  | PT60S  | PT1S  | 100000u
          a long timeout is long enough for a cold one| PT10S   | PT0S   | PT10S | 10000000u
          the header has eight digits                 | PT99S   | PT60S  | PT99S | 99000000u
          and then another unit                       | PT100S  | PT60S  | PT100S| 100000m
          or still another                            | PT48H   | PT60S  | PT48H | 172800S
          nothing is rounded to no time at all        | PT0.0000001S| PT60S | PT1S | 1u
          """)
  void is_divided(String rule, String timeout, String age, String connect, String header) {
    var budget = CallTimeouts.of(Duration.parse(timeout), Duration.parse(age));
    assertThat(budget.connect()).isEqualTo(Duration.parse(connect));
    assertThat(budget.answer()).isEqualTo(Duration.parse(timeout));
    assertThat(budget.grpcTimeout()).isEqualTo(header);
  }
}
