// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.krypton.base.http.Page;
import io.krypton.base.http.PageResponse;
import io.krypton.operator.observe.OperatorMetric.Kind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The operator's figures in Prometheus text. Names and labels are an interface: dashboards and
 * alerts rely on them. No object of a user is ever a label, so the number of series depends on
 * clusters only.
 */
public final class Metrics {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5),
    Duration.ofSeconds(15),
    Duration.ofMinutes(1),
    Duration.ofMinutes(5)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final List<Runnable> beforeScrape = new CopyOnWriteArrayList<>();

  /** One value of a gauge that has a series per label value, such as clusters by state. */
  public record Sample(Map<String, String> labels, double value) {}

  /** A single value that is asked for at each scrape. */
  public void gauge(OperatorMetric metric, Supplier<Number> value) {
    metric.require(Kind.GAUGE, Set.of());
    Gauge.builder(metric.base(), value).description(metric.help()).register(registry);
  }

  /**
   * A family of values that is asked for at each scrape; series that are not named any more
   * disappear.
   */
  public void gauges(OperatorMetric metric, Supplier<List<Sample>> samples) {
    if (metric.base().endsWith(InfoMetric.SUFFIX)) {
      registry.getPrometheusRegistry().register(new InfoMetric(metric, samples));
      return;
    }
    var family = MultiGauge.builder(metric.base()).description(metric.help()).register(registry);
    beforeScrape.add(
        () -> {
          var rows = new ArrayList<MultiGauge.Row<?>>();
          for (var sample : samples.get()) {
            rows.add(MultiGauge.Row.of(tags(metric, Kind.GAUGE, sample.labels()), sample.value()));
          }
          family.register(rows, true);
        });
  }

  /** Before each scrape: series go whose label has a value that nothing has any more. */
  public void retain(String label, Predicate<String> isAlive) {
    beforeScrape.addFirst(
        () -> {
          for (var meter : registry.getMeters()) {
            var value = meter.getId().getTag(label);
            if (value != null && !isAlive.test(value)) {
              registry.remove(meter);
            }
          }
        });
  }

  /** Adds one to a counter. */
  public void count(OperatorMetric metric, Map<String, String> labels) {
    Counter.builder(metric.base())
        .description(metric.help())
        .tags(tags(metric, Kind.COUNTER, labels))
        .register(registry)
        .increment();
  }

  /** Adds a duration to a histogram. */
  public void time(OperatorMetric metric, Map<String, String> labels, Duration duration) {
    Timer.builder(metric.base())
        .description(metric.help())
        .tags(tags(metric, Kind.TIMER, labels))
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(duration);
  }

  /** The page {@code /metrics}. */
  public Page page() {
    return request -> PageResponse.metrics(scrape());
  }

  String scrape() {
    beforeScrape.forEach(Runnable::run);
    return registry.scrape();
  }

  private static Tags tags(OperatorMetric metric, Kind kind, Map<String, String> labels) {
    metric.require(kind, labels.keySet());
    var tags = Tags.empty();
    for (var label : labels.entrySet()) {
      tags = tags.and(label.getKey(), label.getValue());
    }
    return tags;
  }

  /**
   * A metric that says something by its labels alone. Gauges cannot be called {@code …_info}: the
   * library keeps that ending for this type, and takes it off theirs.
   */
  record InfoMetric(OperatorMetric metric, Supplier<List<Sample>> samples) implements Collector {
    static final String SUFFIX = "_info";

    @Override
    public InfoSnapshot collect() {
      var snapshot =
          InfoSnapshot.builder()
              .name(metric.base().substring(0, metric.base().length() - SUFFIX.length()))
              .help(metric.help());
      for (var sample : samples.get()) {
        metric.require(Kind.GAUGE, sample.labels().keySet());
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
}
