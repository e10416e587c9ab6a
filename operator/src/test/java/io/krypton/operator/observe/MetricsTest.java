// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.operator.observe.Metrics.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class MetricsTest {
  private final Metrics metrics = new Metrics();

  @Test
  void counters_end_in_total_and_carry_their_labels() {
    metrics.count(OperatorMetric.CHART_LOADS, Map.of("result", "hit"));
    metrics.count(OperatorMetric.CHART_LOADS, Map.of("result", "hit"));

    assertThat(metrics.scrape()).contains("krypton_chart_loads_total{result=\"hit\"} 2.0");
  }

  @Test
  void durations_become_histograms_in_seconds() {
    metrics.time(OperatorMetric.HELM_TIME, Map.of("operation", "install"), Duration.ofMillis(700));

    assertThat(metrics.scrape())
        .contains("krypton_helm_operation_seconds_bucket{operation=\"install\",le=\"1.0\"} 1")
        .contains("krypton_helm_operation_seconds_bucket{operation=\"install\",le=\"0.5\"} 0")
        .contains("krypton_helm_operation_seconds_count{operation=\"install\"} 1");
  }

  @Test
  void a_series_disappears_when_it_is_no_longer_named() {
    var clusters = new AtomicReference<>(List.of(up("edge"), up("home")));
    metrics.gauges(OperatorMetric.CLUSTER_UP, clusters::get);

    assertThat(metrics.scrape()).contains("cluster=\"edge\"", "cluster=\"home\"");

    clusters.set(List.of(up("home")));
    assertThat(metrics.scrape()).doesNotContain("cluster=\"edge\"").contains("cluster=\"home\"");
  }

  @Test
  void what_was_counted_of_a_cluster_goes_with_it() {
    var alive = new CopyOnWriteArraySet<>(List.of("edge", "home"));
    metrics.retain("cluster", alive::contains);
    metrics.count(OperatorMetric.DRIFT_REPAIRS, Map.of("cluster", "edge", "result", "done"));
    metrics.count(OperatorMetric.DRIFT_REPAIRS, Map.of("cluster", "home", "result", "done"));
    metrics.count(OperatorMetric.CHART_LOADS, Map.of("result", "hit"));
    assertThat(metrics.scrape()).contains("cluster=\"edge\"", "cluster=\"home\"");

    alive.remove("edge");

    assertThat(metrics.scrape())
        .doesNotContain("cluster=\"edge\"")
        .contains("cluster=\"home\"", "krypton_chart_loads_total{result=\"hit\"} 1.0");
  }

  @Test
  void what_is_called_info_is_exposed_under_that_name() {
    var platform = new AtomicReference<>("unknown");
    metrics.gauges(
        OperatorMetric.PLATFORM, () -> List.of(new Sample(Map.of("platform", platform.get()), 1)));

    assertThat(metrics.scrape())
        .contains("# HELP krypton_platform_info Detected platform")
        .contains("krypton_platform_info{platform=\"unknown\"} 1");
    platform.set("openshift");
    assertThat(metrics.scrape()).contains("platform=\"openshift\"").doesNotContain("\"unknown\"");
  }

  @Test
  void counters_and_durations_say_what_they_mean() {
    metrics.count(OperatorMetric.CHART_LOADS, Map.of("result", "hit"));
    metrics.time(OperatorMetric.HELM_TIME, Map.of("operation", "install"), Duration.ofMillis(7));

    assertThat(metrics.scrape())
        .contains("# HELP krypton_chart_loads_total Total chart loads by result")
        .contains("# HELP krypton_helm_operation_seconds Duration of a Helm operation");
  }

  @Test
  void a_metric_is_used_as_it_is_declared() {
    assertThatThrownBy(() -> metrics.count(OperatorMetric.CHART_LOADS, Map.of("cause", "hit")))
        .hasMessageContaining("CHART_LOADS is a COUNTER with labels [result]");
    assertThatThrownBy(() -> metrics.gauge(OperatorMetric.RECONCILES, () -> 1))
        .hasMessageContaining("RECONCILES is a COUNTER");
    assertThatThrownBy(
            () -> metrics.time(OperatorMetric.CHART_LOADS, Map.of("result", "hit"), Duration.ZERO))
        .hasMessageContaining("not a TIMER");
  }

  private static Sample up(String cluster) {
    return new Sample(Map.of("cluster", cluster), 1);
  }
}
