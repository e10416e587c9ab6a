// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {
  private static final int TERMINAL = 80;
  private static final int PIPE = 0;
  private static final String ERASED = "\r\033[K";

  private final AtomicLong nanos = new AtomicLong();
  private final StringWriter seen = new StringWriter();

  private Progress progress(int columns) {
    return new Progress(new PrintWriter(seen), columns, nanos::get, "planning");
  }

  /** Lets time pass, tick by tick, and tells what was shown meanwhile. */
  private String shownWithin(Progress progress, Duration time) {
    seen.getBuffer().setLength(0);
    for (var passed = 0L; passed < time.toMillis(); passed += 100) {
      nanos.addAndGet(Duration.ofMillis(100).toNanos());
      progress.tick();
    }
    return seen.toString();
  }

  @ParameterizedTest
  @CsvSource({TERMINAL + ", 400", PIPE + ", 4900"})
  void a_command_that_ends_at_once_shows_nothing(int columns, int millis) {
    try (var progress = progress(columns);
        var releases = progress.count(40, "releases")) {
      releases.advance();
      assertThat(shownWithin(progress, Duration.ofMillis(millis))).isEmpty();
    }
    assertThat(seen.toString()).isEmpty();
  }

  @Test
  void a_terminal_has_one_line_that_is_drawn_again_when_it_differs() {
    try (var progress = progress(TERMINAL);
        var releases = progress.count(40, "releases")) {
      assertThat(shownWithin(progress, Duration.ofMillis(900)))
          .isEqualTo("\r[--------------------] planning: 0/40 releases, 0 s\033[K");

      releases.reached(12);
      assertThat(shownWithin(progress, Duration.ofMillis(1_100)))
          .isEqualTo(
              "\r[######--------------] planning: 12/40 releases, 1 s\033[K"
                  + "\r[######--------------] planning: 12/40 releases, 2 s\033[K");
    }
  }

  @Test
  void the_line_is_gone_before_an_answer_comes_and_at_the_end() {
    var out = new PrintWriter(seen);
    var progress = progress(TERMINAL);
    var drawn = "\rplanning, 0 s\033[K";
    assertThat(shownWithin(progress, Duration.ofMillis(500))).isEqualTo(drawn);

    progress.print(out, "tenant/acme: Ready");
    progress.print(out, "tenant/globex: Ready");
    assertThat(seen.toString())
        .isEqualTo("%s%stenant/acme: Ready%ntenant/globex: Ready%n".formatted(drawn, ERASED));
    assertThat(shownWithin(progress, Duration.ofMillis(200))).isEqualTo(drawn);

    progress.close();
    progress.close();
    assertThat(seen.toString()).isEqualTo(drawn + ERASED);
    assertThat(shownWithin(progress, Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void a_pipe_sees_a_line_for_changes_every_five_seconds_and_a_sign_of_life_every_thirty() {
    try (var progress = progress(PIPE);
        var releases = progress.count(40, "releases")) {
      assertThat(shownWithin(progress, Duration.ofSeconds(6)).lines())
          .containsExactly("planning: 0/40 releases, 5 s");

      releases.advance();
      assertThat(shownWithin(progress, Duration.ofMillis(3_900))).isEmpty();
      progress.label("planning edge");
      assertThat(shownWithin(progress, Duration.ofMillis(100)).lines())
          .containsExactly("planning edge: 1/40 releases, 10 s");

      assertThat(shownWithin(progress, Duration.ofSeconds(60)).lines())
          .containsExactly(
              "planning edge: 1/40 releases, 40 s", "planning edge: 1/40 releases, 70 s");
    }
    assertThat(seen.toString()).doesNotContain("\r", "\033");
  }

  @Test
  void a_count_is_shown_until_it_is_closed() {
    try (var progress = progress(PIPE);
        var clusters = progress.count(3, "clusters")) {
      try (var releases = progress.count(9, "releases")) {
        releases.advance();
        assertThat(shownWithin(progress, Duration.ofSeconds(5)).lines())
            .containsExactly("planning: 0/3 clusters, 1/9 releases, 5 s");
      }
      clusters.advance();
      assertThat(shownWithin(progress, Duration.ofSeconds(5)).lines())
          .containsExactly("planning: 1/3 clusters, 10 s");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "120, NONE, '', 120",
    "120, TERM, xterm, 120",
    "120, NO_COLOR, '', 120",
    "120, NO_COLOR, 1, 0",
    "120, TERM, dumb, 0",
    "0, NONE, '', 0"
  })
  void lines_are_redrawn_only_on_a_terminal_that_can(
      int columns, String variable, String value, int redrawn) {
    assertThat(Terminal.redrawnColumns(Map.of(variable, value), columns)).isEqualTo(redrawn);
  }
}
