// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.cli.view.ProgressLine.Count;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLineTest {
  private static final Duration ELAPSED = Duration.ofMillis(7_900);

  /** Counts are written as they are shown. */
  private static ProgressLine line(String label, @Nullable String counts) {
    return new ProgressLine(
        label,
        counts == null
            ? List.of()
            : Arrays.stream(counts.split(", "))
                .map(count -> count.split("[/ ]"))
                .map(it -> new Count(Integer.parseInt(it[0]), Integer.parseInt(it[1]), it[2]))
                .toList());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing to count     |                            | planning, 7 s",
        "one count            | 12/40 releases             | planning: 12/40 releases, 7 s",
        "one within another   | 1/3 clusters, 2/9 releases | planning: 1/3 clusters, 2/9 releases, 7 s",
        "one thing is no count| 0/1 clusters, 2/9 releases | planning: 2/9 releases, 7 s",
        "nothing but one thing| 0/1 objects                | planning, 7 s",
        "no work at all       | 0/0 releases               | planning, 7 s"
      })
  void elsewhere_a_line_names_work_counts_and_time(
      String rule, @Nullable String counts, String text) {
    assertThat(line("planning", counts).text(ELAPSED)).isEqualTo(text);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "nothing done    | 0/4 releases               | [--------------------] at: 0/4 releases, 7 s",
        "half done       | 2/4 releases               | [##########----------] at: 2/4 releases, 7 s",
        "all done        | 4/4 releases               | [####################] at: 4/4 releases, 7 s",
        "more than known | 5/4 releases               | [####################] at: 5/4 releases, 7 s",
        "parts of a part | 1/2 clusters, 1/2 releases | [###############-----] at: 1/2 clusters, 1/2 releases, 7 s",
        "of one cluster  | 0/1 clusters, 1/2 releases | [##########----------] at: 1/2 releases, 7 s",
        "no count        |                            | at, 7 s",
        "one thing       | 0/1 objects                | at, 7 s"
      })
  void a_terminal_shows_a_bar_in_front(String rule, @Nullable String counts, String drawn) {
    assertThat(line("at", counts).drawn(ELAPSED, 80)).isEqualTo(drawn);
  }

  @ParameterizedTest(name = "{0} columns")
  @CsvSource(
      delimiter = '|',
      value = {
        "80 | [##########----------] starting home (etcd), edge (etcd): 3/6 servers, 7 s",
        "70 | [##########----------] starting home (etcd), edge …: 3/6 servers, 7 s",
        "64 | [##########----------] starting home (etcd),…: 3/6 servers, 7 s",
        "63 | starting home (etcd), edge (etcd): 3/6 servers, 7 s",
        "40 | starting home (etcd)…: 3/6 servers, 7 s",
        "10 | : 3/6 se…"
      })
  void a_narrow_terminal_cuts_the_label_then_loses_the_bar(int columns, String drawn) {
    assertThat(line("starting home (etcd), edge (etcd)", "3/6 servers").drawn(ELAPSED, columns))
        .isEqualTo(drawn);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 20, 63, 64, 80, 300})
  void no_line_is_as_long_as_the_terminal_is_wide(int columns) {
    assertThat(line("x".repeat(400), "1/3 clusters, 2/9 releases").drawn(ELAPSED, columns))
        .hasSizeLessThan(columns);
  }
}
