package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.observe.Metrics;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChartNewsTest {
  private static final ChartRef CHART = ChartRef.of("https://charts.example.com", "web", "1.2.3");

  @Test
  void who_waits_is_woken_by_news_and_not_by_the_same_failure_again() {
    var woken = new ArrayList<Boolean>();
    var news = new ChartNews(new Metrics(), woken::add);

    news.attempted(CHART, new ChartResult.NotLoaded("down"));
    news.attempted(CHART, new ChartResult.NotLoaded("still down"));
    assertThat(woken).containsExactly(false);

    news.attempted(CHART, new ChartResult.VersionNotFound("no such version"));
    news.attempted(
        CHART, new ChartResult.Loaded(Path.of("chart.tgz"), "abc", "1.2.3", Set.of("message")));
    news.hit(CHART);
    assertThat(woken).containsExactly(false, false, true);
  }
}
