package io.krypton.operator.chart;

/** Hears of charts, to wake who waits for them and to count. */
public interface ChartListener {
  ChartListener NONE = new ChartListener() {};

  /** How an attempt to load it ended. */
  default void attempted(ChartRef chart, ChartResult result) {}

  /** Whoever asks gets an answer of another kind from now on. */
  default void changed(ChartRef chart, ChartResult result) {}

  /** Somebody got a chart that had been loaded before. */
  default void hit(ChartRef chart) {}
}
