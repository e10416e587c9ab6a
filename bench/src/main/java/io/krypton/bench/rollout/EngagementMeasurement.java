// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BenchHomeCluster;
import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.ProcessStats;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.bench.measure.MeasurementRecorder.Axes;
import io.krypton.sandbox.ControlPlane;
import java.time.Duration;
import java.util.Optional;

/**
 * How long it takes to engage many clusters, what each costs, and what is left when they are gone:
 * as many kubeconfig Secrets as asked for, all of which lead to one API server.
 */
public final class EngagementMeasurement implements Measurement {
  private static final Duration SETTLING = Duration.ofSeconds(3);
  private static final int THREADS_OF_ITS_OWN = 5;
  private static final String X = "clusters";
  private static final Axes TIME =
      new Axes("engagement-time", "Engagement: time per cluster", X, "ms");
  private static final Axes MEMORY =
      new Axes("engagement-memory", "Engagement: memory per cluster", X, "MiB");
  private static final Axes THREADS =
      new Axes("engagement-threads", "Engagement: threads per cluster", X, "threads");

  @Override
  public String name() {
    return "engagement";
  }

  @Override
  public Parameters full() {
    return Parameters.of("clusters=10,100,300");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("clusters=10"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofMillis(
        parameters.numbers("clusters").stream().mapToLong(it -> 10_000 + 250L * it).sum());
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    for (var clusters : parameters.numbers("clusters")) {
      measurementRecorder.step("%d clusters".formatted(clusters));
      try (var plane = ControlPlane.builder("bench").withoutControllerManager().start()) {
        var home = BenchHomeCluster.prepare(plane);
        try (var operator =
            BenchOperator.start(
                benchEnvironment.distribution(), benchEnvironment.scratch(), home)) {
          operator.awaitLeading();
          run(operator, home, clusters, measurementRecorder);
        }
      }
    }
  }

  private static void run(
      BenchOperator operator,
      BenchHomeCluster home,
      int clusters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    Thread.sleep(SETTLING);
    var before = operator.figures();
    var begun = System.nanoTime();
    for (var i = 0; i < clusters; i++) {
      home.register("cluster-" + i, home.plane().adminKubeconfig());
    }
    operator.awaitEngaged(clusters);
    var engaged = Duration.ofNanos(System.nanoTime() - begun);
    var with = operator.figures();
    var leaving = System.nanoTime();
    for (var i = 0; i < clusters; i++) {
      home.remove("cluster-" + i);
    }
    operator.awaitEngaged(0);
    Polling.until(
        "threads are gone",
        () -> operator.figures().threads() <= before.threads() + THREADS_OF_ITS_OWN);
    var left = Duration.ofNanos(System.nanoTime() - leaving);
    record(clusters, engaged, left, before, with, operator.figures(), measurementRecorder);
  }

  private static void record(
      int clusters,
      Duration engaged,
      Duration left,
      ProcessStats before,
      ProcessStats with,
      ProcessStats after,
      MeasurementRecorder measurementRecorder) {
    var id = "engagement/%d/".formatted(clusters);
    var of = " (%d clusters)".formatted(clusters);
    var millis = engaged.toMillis() / (double) clusters;
    var threads = (with.threads() - before.threads()) / (double) clusters;
    var memory = (with.residentMib() - before.residentMib()) / clusters;
    measurementRecorder.add(
        Figure.of(
            id + "time", "time to engage all" + of, engaged.toMillis() / 1e3, "s", Better.LOWER));
    measurementRecorder.add(
        Figure.of(id + "time-each", "the same per cluster" + of, millis, "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.ratio(id + "threads", "threads per cluster" + of, threads, "", Better.LOWER));
    measurementRecorder.add(
        Figure.ratio(id + "memory", "memory per cluster" + of, memory, "MiB", Better.LOWER));
    measurementRecorder.add(
        Figure.of(
            id + "back",
            "time until all are disengaged and their threads gone" + of,
            left.toMillis() / 1e3,
            "s",
            Better.LOWER));
    measurementRecorder.add(
        Figure.of(
            id + "threads-left",
            "threads more than before the first cluster" + of,
            after.threads() - before.threads(),
            "",
            Better.LOWER));
    measurementRecorder.point(TIME, "engage", clusters, millis);
    measurementRecorder.point(MEMORY, "resident", clusters, memory);
    measurementRecorder.point(THREADS, "threads", clusters, threads);
  }
}
