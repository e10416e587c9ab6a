// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.kms;

import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.sandbox.ControlPlane;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Optional;

/**
 * What the reporter costs on a node: two plugins, a real API server, all settings at their
 * defaults.
 */
public final class ReporterMeasurement implements Measurement {
  private static final double START_GOAL = 1000;
  private static final double RESIDENT_GOAL = 90;
  private static final double KIB_PER_MB = 1000;
  private static final String NO_CACHE = "-XX:AOTMode=off";

  @Override
  public String name() {
    return "reporter";
  }

  @Override
  public Parameters full() {
    return Parameters.of("starts=7", "settle-seconds=20", "watch-seconds=90");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("starts=3", "settle-seconds=0", "watch-seconds=0"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(
        10
            + 3L * parameters.number("starts")
            + parameters.number("settle-seconds")
            + parameters.number("watch-seconds"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    try (var plane = ControlPlane.builder("bench").withoutControllerManager().start();
        var _ = DevPlugins.startInProcess(benchEnvironment.scratch(), 1);
        var _ = DevPlugins.startInProcess(benchEnvironment.scratch(), 2)) {
      KmsHealthObject.prepare(plane);
      Files.writeString(benchEnvironment.scratch().resolve("kubeconfig"), plane.adminKubeconfig());
      starts(benchEnvironment, parameters.number("starts"), measurementRecorder);
      if (parameters.number("watch-seconds") > 0) {
        life(benchEnvironment, parameters, measurementRecorder);
      }
    }
  }

  /** In turns, so that a machine whose speed changes treats both alike. */
  private static void starts(
      BenchEnvironment benchEnvironment, int count, MeasurementRecorder measurementRecorder)
      throws Exception {
    var with = new ArrayList<Duration>();
    var without = new ArrayList<Duration>();
    for (var i = 0; i < count; i++) {
      with.add(toFirstProbe(benchEnvironment, "with", ""));
      without.add(toFirstProbe(benchEnvironment, "without", NO_CACHE));
    }
    started(measurementRecorder, "with", Distribution.ofMillis(with));
    started(measurementRecorder, "without", Distribution.ofMillis(without));
    measurementRecorder.add(
        Figure.ratio(
            "reporter/start-with-of-without",
            "fastest start with the cache, by that without",
            Collections.min(with).toMillis() / (double) Collections.min(without).toMillis(),
            "",
            Better.LOWER));
  }

  private static Duration toFirstProbe(
      BenchEnvironment benchEnvironment, String node, String options) throws Exception {
    try (var reporter = start(benchEnvironment, node, options)) {
      return reporter.toFirstProbe();
    }
  }

  /** Both at the same time: they hardly use a processor, and the wait is the same. */
  private static void life(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    try (var cached = start(benchEnvironment, "with", "");
        var plain = start(benchEnvironment, "without", NO_CACHE)) {
      Thread.sleep(Duration.ofSeconds(parameters.number("settle-seconds")));
      var cachedCpu = cached.cpu();
      var plainCpu = plain.cpu();
      Thread.sleep(Duration.ofSeconds(parameters.number("watch-seconds")));
      var perHour = 3600.0 / parameters.number("watch-seconds");
      settled(measurementRecorder, "with", cached, (cached.cpu() - cachedCpu) * perHour);
      settled(measurementRecorder, "without", plain, (plain.cpu() - plainCpu) * perHour);
    }
  }

  private static BenchReporter start(BenchEnvironment benchEnvironment, String node, String options)
      throws Exception {
    return BenchReporter.start(
        benchEnvironment.distribution(),
        benchEnvironment.scratch(),
        node,
        options,
        DevPlugins.flagValue(benchEnvironment.scratch(), 1)
            + ","
            + DevPlugins.flagValue(benchEnvironment.scratch(), 2));
  }

  private static void started(
      MeasurementRecorder measurementRecorder, String which, Distribution starts) {
    var figure =
        Figure.of(
            "reporter/%s/start".formatted(which),
            "start to first probe, %s cache of classes: median of %d"
                .formatted(which, starts.values().size()),
            starts.median(),
            "ms",
            Better.LOWER);
    measurementRecorder.add(figure.withGoal(START_GOAL));
  }

  private static void settled(
      MeasurementRecorder measurementRecorder,
      String which,
      BenchReporter reporter,
      double cpuPerHour)
      throws Exception {
    measurementRecorder.add(
        Figure.of(
                "reporter/%s/resident".formatted(which),
                "memory, %s cache".formatted(which),
                reporter.figures().residentKib() / KIB_PER_MB,
                "MB",
                Better.LOWER)
            .withGoal(RESIDENT_GOAL));
    measurementRecorder.add(
        Figure.of(
            "reporter/%s/cpu".formatted(which),
            "processor time per hour, %s cache".formatted(which),
            cpuPerHour,
            "s/h",
            Better.LOWER));
  }
}
