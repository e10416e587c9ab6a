// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Results;
import io.krypton.bench.measure.Results.Plot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {
  private static final Figure WITH_GOAL =
      Figure.ratio("rollout/1x100/of-helm", "against Helm", 0.934, "", Better.HIGHER).withGoal(0.9);
  private static final Figure MISSED =
      Figure.of("rollout/1x100/rss", "resident", 260, "MiB", Better.LOWER).withGoal(250);

  @TempDir Path directory;

  @Test
  void figures_are_read_as_they_were_written() throws IOException {
    var file = directory.resolve("results.json");

    ResultFile.write(file, results(List.of()));

    assertThat(ResultFile.read(file)).containsExactly(WITH_GOAL, MISSED);
  }

  @Test
  void the_table_tells_ratios_goals_and_what_was_missed() {
    assertThat(MarkdownReport.of(results(List.of())))
        .contains("- Date: today")
        .contains("| rollout | against Helm | 0.93 | ≥ 0.90 | **`rollout/1x100/of-helm`** |")
        .contains("| rollout | resident | 260 MiB | ≤ 250 (missed) | `rollout/1x100/rss` |");
  }

  @Test
  void a_plot_becomes_a_picture_that_the_table_shows() throws IOException {
    var plot =
        new Plot(
            "growth",
            "Growth",
            "releases",
            "ms",
            List.of(
                new Plot.Series("a", List.of(new Plot.Point(10, 5), new Plot.Point(100, 5.5)))));

    PlotWriter.draw(directory, plot);

    assertThat(directory.resolve("growth.png")).isNotEmptyFile();
    assertThat(MarkdownReport.of(results(List.of(plot)))).contains("![Growth](growth.png)");
  }

  private static Results results(List<Plot> plots) {
    return new Results(Map.of("Date", "today"), List.of(WITH_GOAL, MISSED), plots, Map.of());
  }
}
