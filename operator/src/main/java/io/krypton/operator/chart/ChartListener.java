package io.krypton.operator.chart;

/** Hears how each attempt to load a chart ended, to wake who waits for it and to count. */
@FunctionalInterface
public interface ChartListener {
  ChartListener NONE = (chart, result) -> {};

  void attempted(ChartRef chart, ChartResult result);

  /** Somebody got a chart that had been loaded before. */
  default void hit(ChartRef chart) {}
}
