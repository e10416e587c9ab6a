package io.krypton.cli.operator;

import io.krypton.multicluster.controller.Loop;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.observe.Metrics.Sample;
import io.krypton.operator.rollout.RunListener;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Figures about the reconcile loops, one series for each. */
final class LoopMetrics {
  private LoopMetrics() {}

  static RunListener listener(String controller, Metrics metrics) {
    return new RunListener() {
      @Override
      public void reconciled(String cluster, Result result) {
        metrics.count(
            "krypton_reconcile",
            Map.of(
                "controller",
                controller,
                "cluster",
                cluster,
                "result",
                result.name().toLowerCase(Locale.ROOT)));
      }

      @Override
      public void ran(String cluster, Duration took) {
        metrics.time("krypton_reconcile", Map.of("controller", controller), took);
      }
    };
  }

  static void register(Metrics metrics, Map<String, Loop> loops) {
    metrics.gauges(
        "krypton_queue_depth",
        "Objects that are due, parked or due later",
        () -> samples(loops, LoopMetrics::depth));
    metrics.gauges(
        "krypton_queue_oldest_seconds",
        "How long the oldest due key has waited",
        () -> samples(loops, loop -> loop.state().oldest().toMillis() / 1000.0));
  }

  private static double depth(Loop loop) {
    var queue = loop.state();
    return queue.ready() + queue.parked() + queue.delayed();
  }

  private static List<Sample> samples(Map<String, Loop> loops, ToDoubleFunction<Loop> value) {
    return loops.entrySet().stream()
        .map(
            loop ->
                new Sample(
                    Map.of("controller", loop.getKey()), value.applyAsDouble(loop.getValue())))
        .toList();
  }
}
