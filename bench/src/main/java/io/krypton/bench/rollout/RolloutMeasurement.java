// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.MemoryWatch;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.bench.measure.MeasurementRecorder.Axes;
import io.krypton.bench.rollout.HelmComparison.Score;
import io.krypton.bench.rollout.HelmComparison.Side;
import io.krypton.sandbox.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the operator adds to Helm, and how far Helm is from what the API server could take. */
public final class RolloutMeasurement implements Measurement {
  /** At this size singles are measured, and what a killed worker costs, if it is one of those. */
  private static final int MAIN = 100;

  /** After each turn. */
  private static final long QUIET_MILLIS = 4_000;

  /** Each of the four sides in its turn, for one release. */
  private static final long PAIR_MILLIS = 300;

  private static final long ONCE_MILLIS = 450;

  /** What starts, and stops, and warms up. */
  private static final long START_MILLIS = 25_000;

  private static final Axes TIME =
      new Axes("rollout-time", "Rollout: time per release", "releases", "ms");
  private static final Axes CPU =
      new Axes("rollout-cpu", "Rollout: processor time per release", "releases", "processor ms");

  @Override
  public String name() {
    return "rollout";
  }

  @Override
  public Parameters full() {
    return Parameters.of(
        "tenants=10,100,300",
        "rounds=4",
        "enough=400",
        "warm-up=50",
        "upgrades=100,300",
        "rivals=10,100,300",
        "two-clusters=100",
        "singles=100",
        "kills=5");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(
        full()
            .with(
                Parameters.of(
                    "tenants=10",
                    "rounds=2",
                    "warm-up=20",
                    "upgrades=0",
                    "rivals=0",
                    "two-clusters=0",
                    "singles=3",
                    "kills=0")));
  }

  @Override
  public Optional<Parameters> goals() {
    return Optional.of(full().with(Parameters.of("enough=200", "rivals=100", "two-clusters=0")));
  }

  @Override
  public Duration expected(Parameters parameters) {
    var sizes = new ArrayList<>(parameters.numbers("tenants"));
    if (parameters.number("two-clusters") > 0) {
      sizes.add(parameters.number("two-clusters"));
    }
    var millis = 250L * parameters.number("singles") + 1500L * parameters.number("kills");
    for (var size : sizes) {
      var pairs =
          rounds(parameters, size) * (parameters.numbers("upgrades").contains(size) ? 2 : 1);
      var once = parameters.numbers("rivals").contains(size) ? 1 : 0;
      millis +=
          START_MILLIS
              + PAIR_MILLIS * (size * pairs + parameters.number("warm-up"))
              + ONCE_MILLIS * size * once
              + QUIET_MILLIS * 2 * (pairs + once);
    }
    return Duration.ofMillis(millis);
  }

  /** A large round says more than a small one, so there are fewer of them. */
  static int rounds(Parameters parameters, int tenants) {
    return Math.clamp(parameters.number("enough") / tenants, 1, parameters.number("rounds"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    for (var tenants : parameters.numbers("tenants")) {
      var figures = new RolloutFigures(1, tenants);
      run(benchEnvironment, figures, parameters, measurementRecorder);
    }
    if (parameters.number("two-clusters") > 0) {
      var figures = new RolloutFigures(2, parameters.number("two-clusters"));
      run(benchEnvironment, figures, parameters, measurementRecorder);
    }
  }

  private static void run(
      BenchEnvironment benchEnvironment,
      RolloutFigures figures,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var clusters = figures.clusters();
    var tenants = figures.tenants();
    measurementRecorder.step("%d tenants on %d clusters".formatted(tenants, clusters));
    try (var testbed = Testbed.create(benchEnvironment, UnaryOperator.identity());
        var operator = testbed.operator();
        var memory = MemoryWatch.start(operator.process().toHandle())) {
      var home = testbed.home().plane();
      if (clusters == 2) {
        testbed.home().register("home", home.adminKubeconfig());
      }
      operator.awaitEngaged(clusters);
      List<ControlPlane> planes =
          clusters == 2 ? List.of(testbed.edge(), home) : List.of(testbed.edge());
      var helmComparison = new HelmComparison(testbed, operator, planes);
      helmComparison.warmUp(parameters.number("warm-up"));
      var rounds = rounds(parameters, tenants);
      var score = helmComparison.compareInstalls(rounds, tenants);
      figures.throughput(score).forEach(measurementRecorder::add);
      figures.costs(score).forEach(measurementRecorder::add);
      if (clusters == 1) {
        plot(tenants, score, measurementRecorder);
      }
      if (parameters.numbers("rivals").contains(tenants)) {
        var all = helmComparison.runBaselines(score, tenants);
        figures.baselines(all).forEach(measurementRecorder::add);
        if (clusters == 1) {
          point(
              TIME,
              "bare client",
              tenants,
              1 / all.of(Side.FLOOR).perSecond(),
              measurementRecorder);
        }
      }
      if (clusters == 1) {
        if (parameters.numbers("upgrades").contains(tenants)) {
          var upgrades = helmComparison.compareUpgrades(rounds, tenants);
          figures.upgrades(upgrades).forEach(measurementRecorder::add);
        }
        if (tenants == mainSize(parameters)) {
          idle(testbed, operator, figures, parameters).forEach(measurementRecorder::add);
        }
      }
      figures.memory(operator.figures().peakMib(), memory.peak()).forEach(measurementRecorder::add);
    }
  }

  static int mainSize(Parameters parameters) {
    var sizes = parameters.numbers("tenants");
    return sizes.contains(MAIN) ? MAIN : sizes.getLast();
  }

  private static List<Figure> idle(
      Testbed testbed, BenchOperator operator, RolloutFigures figures, Parameters parameters)
      throws Exception {
    var all = new ArrayList<Figure>();
    var singles = parameters.number("singles");
    if (singles > 0) {
      var times = testbed.tenants().oneByOne("single-", singles);
      all.addAll(figures.singles(Distribution.ofMillis(times)));
    }
    var afterKill = new ArrayList<Duration>();
    for (var i = 0; i < parameters.number("kills"); i++) {
      operator.awaitQuiet();
      afterKill.add(killed(testbed, operator.worker(), "killed-" + i));
    }
    if (!afterKill.isEmpty()) {
      all.addAll(figures.afterKill(Distribution.ofMillis(afterKill)));
    }
    return all;
  }

  /** SIGKILL, and a Tenant at once: the next release is the first one of another worker. */
  private static Duration killed(Testbed testbed, ProcessHandle worker, String name)
      throws Exception {
    var begun = System.nanoTime();
    worker.destroyForcibly();
    testbed.tenants().create(name);
    Polling.timed(name + " ready", () -> testbed.tenants().isReady(name));
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static void plot(int tenants, Score score, MeasurementRecorder measurementRecorder) {
    var ours = score.of(Side.OPERATOR);
    var plain = score.of(Side.HELM);
    point(TIME, "operator", tenants, 1 / ours.perSecond(), measurementRecorder);
    point(TIME, "helm loop", tenants, 1 / plain.perSecond(), measurementRecorder);
    var releases = ours.releases();
    point(CPU, "operator", tenants, ours.operatorCpu() / releases, measurementRecorder);
    point(CPU, "Helm worker", tenants, ours.helmCpu() / releases, measurementRecorder);
    point(CPU, "servers", tenants, ours.serverCpu() / releases, measurementRecorder);
  }

  private static void point(
      Axes axes,
      String line,
      int tenants,
      double seconds,
      MeasurementRecorder measurementRecorder) {
    measurementRecorder.point(axes, line, tenants, seconds * 1000);
  }
}
