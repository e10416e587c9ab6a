// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static io.krypton.operator.kmshealth.aggregate.Scenario.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.HealthReport.PluginStatus;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeftoverReportsTest {
  private static final String WELL = "FALSE AsExpected: ";

  private final Scenario scenario = new Scenario();

  /** A reporter of another make was replaced by ours; nobody removes what it wrote. */
  @Test
  void entries_that_a_replaced_reporter_left_do_not_harm_a_node_for_ever() {
    scenario.allHealthy();
    scenario.typed.add(
        new HealthReport(
            "b",
            "1",
            PluginStatus.ERROR,
            Scenario.BEGIN.plusSeconds(86_400),
            "unknown",
            "gone",
            "SocketMissing",
            null,
            null,
            null,
            List.of()));
    assertThat(said(scenario.look())).startsWith("TRUE PluginError: node b keyID 1");
    for (int i = 0; i < 13; i++) {
      scenario.reports("b", "2=healthy:kek", "1=healthy:old");
      scenario.after(100);
    }
    assertThat(said(scenario.after(100))).isEqualTo(WELL);
    assertThat(said(scenario.after(3600, "b")))
        .as("nor do they come back when the node falls silent")
        .isEqualTo("UNKNOWN ReporterStale: node b: reporter stale");
  }
}
