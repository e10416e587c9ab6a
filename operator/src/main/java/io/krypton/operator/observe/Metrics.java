package io.krypton.operator.observe;

import io.krypton.operator.observe.HttpPageServer.Page;
import io.krypton.operator.observe.HttpPageServer.Response;
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
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
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
  public void gauge(String name, String help, Supplier<Number> value) {
    Gauge.builder(name, value).description(help).register(registry);
  }

  /**
   * A family of values that is asked for at each scrape; series that are not named any more
   * disappear.
   */
  public void gauges(String name, String help, Supplier<List<Sample>> samples) {
    if (name.endsWith(InfoMetric.SUFFIX)) {
      registry.getPrometheusRegistry().register(new InfoMetric(name, help, samples));
      return;
    }
    var family = MultiGauge.builder(name).description(help).register(registry);
    beforeScrape.add(
        () -> {
          var rows = new ArrayList<MultiGauge.Row<?>>();
          for (var sample : samples.get()) {
            rows.add(MultiGauge.Row.of(tags(sample.labels()), sample.value()));
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

  /** Adds one to a counter; the name is given without the suffix {@code _total}. */
  public void count(String name, Map<String, String> labels) {
    Counter.builder(name)
        .description(OperatorMetric.helpFor(name, Kind.COUNTER))
        .tags(tags(labels))
        .register(registry)
        .increment();
  }

  /** Adds a duration to a histogram; the name is given without the suffix {@code _seconds}. */
  public void time(String name, Map<String, String> labels, Duration duration) {
    Timer.builder(name)
        .description(OperatorMetric.helpFor(name, Kind.TIMER))
        .tags(tags(labels))
        .serviceLevelObjectives(BUCKETS)
        .register(registry)
        .record(duration);
  }

  /** The page {@code /metrics}. */
  public Page page() {
    return query -> new Response(200, CONTENT_TYPE, scrape());
  }

  String scrape() {
    beforeScrape.forEach(Runnable::run);
    return registry.scrape();
  }

  private static Tags tags(Map<String, String> labels) {
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
  record InfoMetric(String name, String help, Supplier<List<Sample>> samples) implements Collector {
    static final String SUFFIX = "_info";

    @Override
    public InfoSnapshot collect() {
      var snapshot =
          InfoSnapshot.builder()
              .name(name.substring(0, name.length() - SUFFIX.length()))
              .help(help);
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
}
