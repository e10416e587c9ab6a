package io.krypton.operator.chart;

/** Loads a chart once, however long that takes; {@link ChartStore} decides when. */
@FunctionalInterface
public interface ChartLoader {
  ChartResult load(ChartRef chart);
}
