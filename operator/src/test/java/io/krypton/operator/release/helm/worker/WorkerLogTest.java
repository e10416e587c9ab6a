// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.chart.LogLines;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WorkerLogTest {
  private final AtomicLong nanos = new AtomicLong();

  @Test
  void warnings_and_last_words_are_warnings_the_rest_is_for_debugging() {
    assertThat(
            logged("time=x level=WARN msg=slow\nlevel=ERROR msg=bad\npanic: nil\nlevel=INFO msg=x"))
        .contains(
            "WARN Helm worker: time=x level=WARN msg=slow",
            "WARN Helm worker: level=ERROR msg=bad",
            "WARN Helm worker: panic: nil")
        .doesNotContain("WARN Helm worker: level=INFO msg=x");
  }

  @Test
  void what_is_secret_is_blotted_out() {
    assertThat(logged("level=WARN msg=\"swordfish is no number\""))
        .containsExactly("WARN Helm worker: level=WARN msg=\"*** is no number\"");
  }

  @Test
  void a_line_without_end_is_cut() {
    var lines = logged("x".repeat(1_000_000) + "\nnext\n");
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).hasSize("WARN Helm worker: ".length() + WorkerLog.LONGEST_LINE);
    assertThat(lines.getLast()).endsWith("next");
  }

  @Test
  void a_line_is_not_cut_within_a_secret() {
    for (var shown = 4; shown < "swordfish".length(); shown++) {
      var line = "x".repeat(WorkerLog.LONGEST_LINE - shown) + "swordfish and more\n";
      assertThat(logged(line).getFirst()).doesNotContain("swor").endsWith("***");
    }
    var halfCharacter = "x".repeat(WorkerLog.LONGEST_LINE - 16) + "schwertfisch-ßßß";
    assertThat(logged(halfCharacter).getFirst()).doesNotContain("schwert").endsWith("***");
    var whole = "level=WARN msg=\"the sword\"";
    assertThat(logged(whole).getFirst()).endsWith(whole);
  }

  @Test
  void a_flood_is_dammed_for_a_minute() {
    try (var log = new LogLines(WorkerLog.class)) {
      var worker = new WorkerLog((line, isCut) -> line, nanos::get);
      worker.drain(stream("again\n".repeat(5000)));
      assertThat(log.lines()).hasSize(WorkerLog.LINES_PER_MINUTE);
      nanos.addAndGet(60_000_000_000L);
      worker.drain(stream("later\n"));
      assertThat(log.lines()).hasSize(WorkerLog.LINES_PER_MINUTE + 1);
    }
  }

  private List<String> logged(String text) {
    try (var log = new LogLines(WorkerLog.class)) {
      var redactor = new Redactor(List.of("swordfish", "schwertfisch-ßßß"));
      new WorkerLog(
              (line, isCut) -> isCut ? redactor.redactCut(line) : redactor.redact(line), nanos::get)
          .drain(stream(text));
      return log.lines();
    }
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }
}
