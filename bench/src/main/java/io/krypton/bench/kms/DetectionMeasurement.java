// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.kms;

import io.krypton.bench.harness.Polling;
import io.krypton.bench.kms.DevPlugins.KillablePlugins;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.bench.measure.MeasurementRecorder.Axes;
import io.krypton.sandbox.ControlPlane;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plugin is killed and comes back: when does the API say so?
 *
 * <p>A reporter spares a plugin that dies again and again: ten probes a minute may come before
 * their time, and each kill takes two. Several plugins therefore die in turns, as in life, and one
 * alone in a row shows what a crash loop looks like.
 */
public final class DetectionMeasurement implements Measurement {
  private static final String NODE = "detection";
  private static final double GOAL = 3000;
  private static final Axes AXES =
      new Axes(
          "detection", "KMS: from a plugin's end to the report of it", "percent of kills", "ms");

  @Override
  public String name() {
    return "detection";
  }

  @Override
  public Parameters full() {
    return Parameters.of("kills=50", "plugins=10", "crash-loop=8");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(
        10
            + 2L * parameters.number("plugins")
            + 3L * parameters.number("kills")
            + 8L * parameters.number("crash-loop"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    try (var plane = ControlPlane.builder("bench").withoutControllerManager().start()) {
      var object = KmsHealthObject.prepare(plane);
      Files.writeString(benchEnvironment.scratch().resolve("kubeconfig"), plane.adminKubeconfig());
      try (var killablePlugins =
              KillablePlugins.start(benchEnvironment, parameters.number("plugins"));
          var _ =
              BenchReporter.start(
                  benchEnvironment.distribution(),
                  benchEnvironment.scratch(),
                  NODE,
                  "",
                  killablePlugins.sockets())) {
        var inTurns = new KillTimings();
        for (var i = 0; i < parameters.number("kills"); i++) {
          inTurns.kill(killablePlugins, 1 + i % parameters.number("plugins"), object);
        }
        record(measurementRecorder, "down", "plugin killed, until the API says so", inTurns.down);
        record(
            measurementRecorder, "up", "plugin's socket back, until the API says so", inTurns.up);
        if (parameters.number("crash-loop") > 0) {
          crashLoop(killablePlugins, parameters.number("crash-loop"), object, measurementRecorder);
        }
      }
    }
  }

  /** No goal: from the sixth death within a minute on, the ordinary pace of ten seconds counts. */
  private static void crashLoop(
      KillablePlugins killablePlugins,
      int kills,
      KmsHealthObject object,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var inARow = new KillTimings();
    for (var i = 0; i < kills; i++) {
      inARow.kill(killablePlugins, 1, object);
    }
    measurementRecorder.add(
        Figure.of(
            "detection/crash-loop-worst",
            "one plugin killed again as soon as it is back: worst of " + kills,
            Distribution.ofMillis(inARow.down).worst(),
            "ms",
            Better.LOWER));
  }

  /** What some kills took. */
  private static final class KillTimings {
    private final List<Duration> down = new ArrayList<>();
    private final List<Duration> up = new ArrayList<>();

    void kill(KillablePlugins killablePlugins, int plugin, KmsHealthObject object)
        throws Exception {
      Polling.until("a healthy report", () -> object.hasPluginStatus(NODE, plugin, "healthy"));
      killablePlugins.kill(plugin);
      down.add(
          Polling.timed("the report", () -> object.hasPluginStatus(NODE, plugin, "unreachable")));
      killablePlugins.restart(plugin);
      up.add(Polling.timed("the report", () -> object.hasPluginStatus(NODE, plugin, "healthy")));
    }
  }

  private static void record(
      MeasurementRecorder measurementRecorder, String which, String what, List<Duration> times) {
    var all = Distribution.ofMillis(times);
    var id = "detection/%s-".formatted(which);
    measurementRecorder.add(
        Figure.of(id + "median", what + ": median", all.median(), "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.of(id + "p99", what + ": p99", all.quantile(0.99), "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.of(
                id + "worst",
                "%s: worst of %d".formatted(what, times.size()),
                all.worst(),
                "ms",
                Better.LOWER)
            .withGoal(GOAL));
    for (var i = 0; i < all.values().size(); i++) {
      measurementRecorder.point(
          AXES, which, 100.0 * (i + 1) / all.values().size(), all.values().get(i));
    }
  }
}
