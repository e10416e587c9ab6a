package io.krypton.operator.observe;

import io.krypton.operator.observe.Metrics.Sample;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A metric that says something by its labels alone. Gauges cannot be called {@code …_info}: the
 * library keeps that ending for this type, and takes it off theirs.
 */
record InfoFamily(String name, String help, Supplier<List<Sample>> samples) implements Collector {
  static final String SUFFIX = "_info";

  @Override
  public InfoSnapshot collect() {
    var snapshot =
        InfoSnapshot.builder().name(name.substring(0, name.length() - SUFFIX.length())).help(help);
    for (var sample : samples.get()) {
      var labels = new TreeMap<>(sample.labels());
      snapshot.dataPoint(
          InfoDataPointSnapshot.builder()
              .labels(
                  Labels.of(
                      labels.keySet().toArray(String[]::new),
                      labels.values().toArray(String[]::new)))
              .build());
    }
    return snapshot.build();
  }
}
