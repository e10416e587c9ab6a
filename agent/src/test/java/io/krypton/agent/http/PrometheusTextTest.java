// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void writes_help_type_and_samples() {
    var text =
        new PrometheusText()
            .gauge("krypton_up", "Whether it is up.")
            .sample("krypton_up", 1)
            .counter("krypton_writes_total", "Writes.")
            .sample("krypton_writes_total", 3, "kind", "lease", "result", "a\"b\\c\nd")
            .summary("krypton_seconds", "Time.")
            .sample("krypton_seconds_sum", 0.25);

    assertThat(text)
        .hasToString(
            """
            # HELP krypton_up Whether it is up.
            # TYPE krypton_up gauge
            krypton_up 1
            # HELP krypton_writes_total Writes.
            # TYPE krypton_writes_total counter
            krypton_writes_total{kind="lease",result="a\\"b\\\\c\\nd"} 3
            # HELP krypton_seconds Time.
            # TYPE krypton_seconds summary
            krypton_seconds_sum 0.250000
            """);
  }
}
