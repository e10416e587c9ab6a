package io.krypton.cli.operator;

import io.krypton.operator.chart.ChartListener;
import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.observe.Metrics;
import java.util.Map;
import java.util.function.Consumer;

/** Counts how charts are loaded, and wakes those who wait when there is something new to say. */
final class ChartNews implements ChartListener {
  private final Metrics metrics;
  private final Consumer<Boolean> wake;

  /**
   * Told by a chart store.
   *
   * @param wake hears whether the chart can be had now
   */
  ChartNews(Metrics metrics, Consumer<Boolean> wake) {
    this.metrics = metrics;
    this.wake = wake;
  }

  @Override
  public void attempted(ChartRef chart, ChartResult result) {
    count(result.word());
  }

  @Override
  public void changed(ChartRef chart, ChartResult result) {
    wake.accept(result instanceof ChartResult.Loaded);
  }

  @Override
  public void hit(ChartRef chart) {
    count("hit");
  }

  private void count(String result) {
    metrics.count("krypton_chart_loads", Map.of("result", result));
  }
}
