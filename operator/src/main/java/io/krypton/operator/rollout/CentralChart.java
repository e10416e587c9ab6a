package io.krypton.operator.rollout;

import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.chart.ChartStore;
import io.krypton.operator.release.Fingerprint;
import io.krypton.operator.values.Values;

/** The one chart that is rolled out everywhere. */
public final class CentralChart {
  private final ChartRef chart;
  private final ChartStore store;

  public CentralChart(ChartRef chart, ChartStore store) {
    this.chart = chart;
    this.store = store;
  }

  /** What a rollout needs to know of it before it needs the chart itself. */
  sealed interface Known {
    record Version(String version) implements Known {}

    record NotYet(ChartResult why) implements Known {}
  }

  /** A fixed version is known without any look at the repository; the newest one only after it. */
  Known version() {
    if (!chart.version().isEmpty()) {
      return chart.hasExactVersion()
          ? new Known.Version(chart.version())
          : new Known.NotYet(new ChartResult.VersionInvalid(chart.version()));
    }
    return switch (store.chart(chart)) {
      case ChartResult.Loaded loaded -> new Known.Version(loaded.version());
      case ChartResult other -> new Known.NotYet(other);
    };
  }

  Fingerprint fingerprint(String version, Values values) {
    return Fingerprint.of(chart.repo(), chart.name(), version, values);
  }

  ChartResult load() {
    return store.chart(chart);
  }

  /** As status shows it. */
  String shown(String version) {
    return chart.repo() + "/" + chart.name() + ":" + version;
  }
}
