// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterSnapshot;
import io.krypton.multicluster.controller.ReconcileLoop;
import io.krypton.operator.OperatorSettings.ControllerName;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.observe.OperatorMetric;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore.ChartListener;
import io.krypton.operator.release.reconcile.ReconcileMetricsListener;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.ToDoubleFunction;

/** Figures about the reconcile loops, one series for each. */
final class MetricsSetup {
  private MetricsSetup() {}

  static ReconcileMetricsListener listener(ControllerName controller, Metrics metrics) {
    return new ReconcileMetricsListener() {
      @Override
      public void reconciled(String cluster, Result result) {
        metrics.count(
            OperatorMetric.RECONCILES,
            Map.of(
                "controller",
                controller.value(),
                "cluster",
                cluster,
                "result",
                result.name().toLowerCase(Locale.ROOT)));
      }

      @Override
      public void ran(String cluster, Duration took) {
        metrics.time(OperatorMetric.RECONCILE_TIME, Map.of("controller", controller.value()), took);
      }
    };
  }

  static void register(Metrics metrics, Map<String, ReconcileLoop> loops) {
    metrics.gauges(OperatorMetric.QUEUE_DEPTH, () -> samples(loops, MetricsSetup::depth));
    metrics.gauges(
        OperatorMetric.QUEUE_OLDEST,
        () -> samples(loops, reconcileLoop -> reconcileLoop.state().oldest().toMillis() / 1000.0));
  }

  private static double depth(ReconcileLoop reconcileLoop) {
    var queue = reconcileLoop.state();
    return queue.ready() + queue.parked() + queue.delayed();
  }

  private static List<Sample> samples(
      Map<String, ReconcileLoop> loops, ToDoubleFunction<ReconcileLoop> value) {
    return loops.entrySet().stream()
        .map(
            loop ->
                new Sample(
                    Map.of("controller", loop.getKey()), value.applyAsDouble(loop.getValue())))
        .toList();
  }

  /** Counts how charts are loaded, and wakes those who wait when there is something new to say. */
  static final class ChartMetrics implements ChartListener {
    private final Metrics metrics;
    private final BiConsumer<ChartRef, Boolean> wake;

    /**
     * Told by a chart store.
     *
     * @param wake hears whether a chart can be had now
     */
    ChartMetrics(Metrics metrics, BiConsumer<ChartRef, Boolean> wake) {
      this.metrics = metrics;
      this.wake = wake;
    }

    @Override
    public void attempted(ChartRef chart, ChartResult result) {
      count(result.value());
    }

    @Override
    public void changed(ChartRef chart, ChartResult result) {
      wake.accept(chart, result instanceof ChartResult.Loaded);
    }

    @Override
    public void cacheHit(ChartRef chart) {
      count("hit");
    }

    private void count(String result) {
      metrics.count(OperatorMetric.CHART_LOADS, Map.of("result", result));
    }
  }

  /** Figures about the clusters themselves. */
  static final class ClusterMetrics {
    private static final List<String> STATES =
        List.of("Connecting", "Rejected", "Engaged", "Unreachable", "Disengaging");

    private ClusterMetrics() {}

    static void register(Metrics metrics, ClusterRegistry registry) {
      metrics.gauges(OperatorMetric.CLUSTERS, () -> byState(registry.clusters()));
      metrics.gauges(
          OperatorMetric.CLUSTER_UP,
          () ->
              registry.clusters().stream()
                  .map(cluster -> new Sample(labels(cluster), cluster.isUp() ? 1 : 0))
                  .toList());
      metrics.gauges(OperatorMetric.CLUSTER_CREDENTIALS, () -> expiries(registry.clusters()));
    }

    static void count(Metrics metrics, ClusterEvent event) {
      new EngagementCounter(metrics).on(event);
    }

    /** Counts engagements, and times the successful ones. */
    private record EngagementCounter(Metrics metrics) implements ClusterListener {
      @Override
      public void onEngaged(ClusterEvent.Engaged event) {
        engagement(metrics, event, "engaged");
        metrics.time(OperatorMetric.CLUSTER_ENGAGE, Map.of("result", "engaged"), event.took());
      }

      @Override
      public void onRejected(ClusterEvent.Rejected event) {
        engagement(metrics, event, "rejected");
      }

      @Override
      public void onUnreachable(ClusterEvent.Unreachable event) {
        if (!event.wasEngaged()) {
          engagement(metrics, event, "unreachable");
        }
      }
    }

    private static void engagement(Metrics metrics, ClusterEvent event, String result) {
      metrics.count(
          OperatorMetric.CLUSTER_ENGAGEMENTS,
          Map.of("cluster", event.name().value(), "result", result));
    }

    private static List<Sample> byState(List<ClusterSnapshot> clusters) {
      var counts = new TreeMap<String, Integer>();
      STATES.forEach(state -> counts.put(state, 0));
      clusters.forEach(cluster -> counts.merge(cluster.state().value(), 1, Integer::sum));
      return counts.entrySet().stream()
          .map(count -> new Sample(Map.of("state", count.getKey()), count.getValue()))
          .toList();
    }

    private static List<Sample> expiries(List<ClusterSnapshot> clusters) {
      var samples = new ArrayList<Sample>();
      for (var cluster : clusters) {
        var expireAt = cluster.credentialsExpireAt();
        if (expireAt != null) {
          var left = Duration.between(Instant.now(), expireAt).toSeconds();
          samples.add(new Sample(labels(cluster), left));
        }
      }
      return samples;
    }

    private static Map<String, String> labels(ClusterSnapshot cluster) {
      return Map.of("cluster", cluster.name().value());
    }
  }

  /** Drift, repairs and unlocks as metrics. */
  record RolloutMeters(Metrics metrics) implements RolloutMetricsListener {

    @Override
    public void driftDetected(String cluster, List<String> kinds) {
      kinds.forEach(
          kind ->
              metrics.count(
                  OperatorMetric.DRIFT_DETECTED, Map.of("cluster", cluster, "kind", kind)));
    }

    @Override
    public void repaired(String cluster, boolean success) {
      metrics.count(
          OperatorMetric.DRIFT_REPAIRS,
          Map.of("cluster", cluster, "result", success ? "done" : "failed"));
    }

    @Override
    public void unlocked(String cluster, Unlock method) {
      metrics.count(
          OperatorMetric.RELEASE_UNLOCKS,
          Map.of("cluster", cluster, "method", method.name().toLowerCase(Locale.ROOT)));
    }
  }
}
