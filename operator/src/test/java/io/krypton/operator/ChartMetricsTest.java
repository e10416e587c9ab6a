// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.MetricsSetup.ChartMetrics;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChartMetricsTest {
  private static final ChartRef CHART = ChartRef.of("https://charts.example.com", "web", "1.2.3");

  @Test
  void who_waits_hears_whether_it_can_be_had_and_attempts_are_only_counted() {
    var woken = new ArrayList<String>();
    var news = new ChartMetrics(new Metrics(), (chart, good) -> woken.add(chart.name() + good));

    news.attempted(CHART, new ChartResult.NotLoaded("down"));
    news.cacheHit(CHART);
    assertThat(woken).isEmpty();

    news.changed(CHART, new ChartResult.NotLoaded("down"));
    news.changed(
        CHART, new ChartResult.Loaded(Path.of("chart.tgz"), "abc", "1.2.3", Set.of("message")));
    assertThat(woken).containsExactly("webfalse", "webtrue");
  }
}
