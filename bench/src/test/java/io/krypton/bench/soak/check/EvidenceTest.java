// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What logs, counters and processes say. */
class EvidenceTest {
  private static final String HEAP =
      """
      4711:
       num     #instances         #bytes  class name (module)
      -------------------------------------------------------
         1:         98765        5000000  [B (java.base@25)
         2:         12345         242880  java.lang.String (java.base@25)
      Total        111110        5242880
      """;

  @Test
  void the_heap_is_what_all_live_objects_need() {
    assertThat(Vitals.heapMib(HEAP)).isEqualTo(5.0);
  }

  @Test
  void what_grew_is_told_by_comparison_with_a_fresh_one() {
    var fresh = new Vitals(40, 30, 200, 1, 60);

    assertThat(new Vitals(45, 40, 400, 1, 100).comparedWith(fresh)).isEmpty();
    assertThat(new Vitals(80, 40, 400, 1, 60).comparedWith(fresh))
        .containsExactly("80 threads, a fresh one has 40");
    assertThat(new Vitals(40, 90, 400, 1, 60).comparedWith(fresh))
        .containsExactly("90.0 MiB of heap, a fresh one has 30.0");
    assertThat(new Vitals(40, 30, 200, 2, 200).comparedWith(fresh))
        .containsExactly(
            "2 Helm workers at rest", "200.0 MiB of the Helm worker, a fresh one has 60.0");
  }

  @Test
  void counters_are_summed_over_processes_and_restarts() {
    var tally = new CounterTally();
    tally.read("a1", Map.of("runs_total{cluster=\"x\"}", 3.0, "runs_total{cluster=\"y\"}", 1.0));
    tally.read("a1", Map.of("runs_total{cluster=\"x\"}", 5.0));
    tally.read("a2", Map.of("runs_total{cluster=\"x\"}", 2.0, "level", 9.0));
    // The cluster went and came again.
    tally.read("a2", Map.of("runs_total{cluster=\"x\"}", 1.0));

    assertThat(tally.sum("runs_total")).isEqualTo(9);
    assertThat(tally.sum("runs_total", "\"x\"")).isEqualTo(8);
    assertThat(tally.sum("level")).isZero();
  }

  @Test
  void errors_and_secrets_are_found_in_a_log() {
    var scan =
        scan(
            "2026-01-01T00:00:00Z INFO  engaged cluster=edge-1",
            "2026-01-01T00:00:00Z ERROR reconcile failed",
            "\tat io.krypton.operator.Operator.run(Operator.java:1)",
            "INFO  values are {message: soak-value-12}");

    assertThat(scan.errors()).hasSize(2).first().asString().startsWith("line 2: ");
    assertThat(scan.secrets()).containsExactly("line 4 holds a value");
  }

  @Test
  void a_list_of_threads_is_no_stack_of_an_error() {
    var scan =
        scan(
            "2026-01-01 00:00:00",
            "Full thread dump OpenJDK 64-Bit Server VM:",
            "\tat io.krypton.operator.Operator.awaitClosed(Operator.java:1)",
            "2026-01-01T00:00:01Z WARN  interrupted",
            "\tat io.krypton.operator.Operator.run(Operator.java:1)");

    assertThat(scan.errors()).singleElement().asString().startsWith("line 5: ");
  }

  @Test
  void a_good_log_has_neither() {
    var scan = scan("INFO  no error at all (see page)", "WARN  cluster unreachable code=ERR");

    assertThat(scan.errors()).isEmpty();
    assertThat(scan.secrets()).isEmpty();
  }

  private static LogScan scan(String... lines) {
    return LogScan.of(List.of(lines).iterator(), Map.of("a value", "soak-value-"));
  }
}
