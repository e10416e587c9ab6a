// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PromQlTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "up == 0 | up",
        "sum by (cluster, le) (rate(a_total{x=~\"b.c\"}[5m])) > 3 * 86400 | a_total",
        "absent(krypton_leader) or sum(krypton_leader) == 0 | krypton_leader",
        "a - time() < 1e3 unless b offset 5m | a,b",
        "histogram_quantile(0.95, sum by (le) (rate(h_bucket[$__rate_interval]))) | h_bucket",
        "count(a{state=\"x } y\"} == 0) or vector(0) | a"
      })
  void only_metrics_are_left(String expression, String metrics) {
    assertThat(PromQl.metrics(expression))
        .containsExactlyElementsOf(Arrays.asList(metrics.split(",")));
  }
}
