// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.bench.measure.MeasurementRecorder.Axes;
import io.krypton.bench.rollout.HelmComparison.Cost;
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
  /** A round has all Tenants in one go, and is not repeated when this many are measured. */
  private static final int ENOUGH = 400;

  /** Beside the turns of operator and plain loop. */
  private static final int SIDES_WITH_ONE_TURN = 3;

  /** After each turn, and after each of the two that warm up. */
  private static final long QUIET_MILLIS = 4_000;

  private static final double THROUGHPUT_GOAL = 0.9;
  private static final double RESIDENT_GOAL = 250;
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
        "warm-up=50",
        "rivals=1",
        "two-clusters=100",
        "singles=30");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(
        Parameters.of(
            "tenants=10", "rounds=2", "warm-up=20", "rivals=0", "two-clusters=0", "singles=3"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    var sizes = new ArrayList<>(parameters.numbers("tenants"));
    if (parameters.number("two-clusters") > 0) {
      sizes.add(parameters.number("two-clusters"));
    }
    var millis = 400L * parameters.number("singles");
    for (var size : sizes) {
      var turns = 2 * rounds(parameters, size) + once(parameters);
      var releases = size * turns + 2 * parameters.number("warm-up");
      millis += 14_000 + 190L * releases + QUIET_MILLIS * (turns + 2);
    }
    return Duration.ofMillis(millis);
  }

  private static int once(Parameters parameters) {
    return parameters.number("rivals") * SIDES_WITH_ONE_TURN;
  }

  private static int rounds(Parameters parameters, int tenants) {
    return Math.clamp(ENOUGH / tenants, 1, parameters.number("rounds"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    for (var tenants : parameters.numbers("tenants")) {
      run(benchEnvironment, 1, tenants, parameters, measurementRecorder);
    }
    if (parameters.number("two-clusters") > 0) {
      run(benchEnvironment, 2, parameters.number("two-clusters"), parameters, measurementRecorder);
    }
  }

  private static void run(
      BenchEnvironment benchEnvironment,
      int clusters,
      int tenants,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    measurementRecorder.step("%d tenants on %d clusters".formatted(tenants, clusters));
    try (var testbed = Testbed.create(benchEnvironment, UnaryOperator.identity());
        var operator = testbed.operator()) {
      var home = testbed.home().plane();
      if (clusters == 2) {
        testbed.home().register("home", home.adminKubeconfig());
      }
      operator.awaitEngaged(clusters);
      List<ControlPlane> planes =
          clusters == 2 ? List.of(testbed.edge(), home) : List.of(testbed.edge());
      var helmComparison = new HelmComparison(testbed, operator, planes);
      helmComparison.warmUp(parameters.number("warm-up"));
      var requests = operator.metric(BenchOperator.REQUESTS);
      var score = helmComparison.comparePair(rounds(parameters, tenants), tenants);
      var asked = operator.metric(BenchOperator.REQUESTS) - requests;
      var id = "rollout/%dx%d/".formatted(clusters, tenants);
      var of = " (%d tenants, %d cluster%s)".formatted(tenants, clusters, clusters == 1 ? "" : "s");
      throughput(id, of, score, measurementRecorder);
      if (once(parameters) > 0) {
        baselines(
            id, of, helmComparison.runBaselines(score, tenants), tenants, measurementRecorder);
      }
      costs(id, of, score, asked, operator, measurementRecorder);
      if (clusters == 1) {
        plot(tenants, score, measurementRecorder);
        var singles = parameters.number("singles");
        singles(id, testbed, tenants == 100 || singles < 10 ? singles : 0, measurementRecorder);
      }
    }
  }

  private static void throughput(
      String id, String of, Score score, MeasurementRecorder measurementRecorder) {
    speed(
        id + "operator",
        "releases by the operator" + of,
        score,
        Side.OPERATOR,
        measurementRecorder);
    speed(id + "helm", "releases by a plain helm loop" + of, score, Side.HELM, measurementRecorder);
    var ofHelm =
        Figure.ratio(
            id + "of-helm",
            "operator's speed, by that of the plain loop" + of,
            score.speed(Side.OPERATOR, Side.HELM),
            "",
            Better.HIGHER);
    measurementRecorder.add(id.endsWith("1x100/") ? ofHelm.withGoal(THROUGHPUT_GOAL) : ofHelm);
  }

  /** Of one turn only, which is too little to compare one run with another. */
  private static void baselines(
      String id, String of, Score score, int tenants, MeasurementRecorder measurementRecorder) {
    speed(
        id + "typed",
        "releases by a helm loop as typed" + of,
        score,
        Side.TYPED,
        measurementRecorder);
    speed(
        id + "ledger",
        "releases by a plain loop with the operator's writes" + of,
        score,
        Side.LEDGER,
        measurementRecorder);
    speed(id + "floor", "releases by a bare client" + of, score, Side.FLOOR, measurementRecorder);
    measurementRecorder.add(
        quotient(
            id + "of-typed",
            "operator's speed, by that of the loop as typed" + of,
            score.speed(Side.OPERATOR, Side.TYPED)));
    measurementRecorder.add(
        quotient(
            id + "ledger-of-helm",
            "what the operator's writes alone leave of the plain loop's speed" + of,
            score.speed(Side.LEDGER, Side.HELM)));
    measurementRecorder.add(
        quotient(
            id + "of-ledger",
            "operator's speed, by that of the plain loop with its writes" + of,
            score.speed(Side.OPERATOR, Side.LEDGER)));
    measurementRecorder.add(
        quotient(
            id + "of-floor",
            "operator's speed, by that of the bare client" + of,
            score.speed(Side.OPERATOR, Side.FLOOR)));
    if (id.startsWith("rollout/1x")) {
      measurementRecorder.point(
          TIME, "bare client", tenants, 1000 / score.of(Side.FLOOR).perSecond());
    }
  }

  private static void speed(
      String id, String what, Score score, Side side, MeasurementRecorder measurementRecorder) {
    var perSecond = score.of(side).perSecond();
    measurementRecorder.add(Figure.of(id + "-per-second", what, perSecond, "/s", Better.HIGHER));
  }

  private static Figure quotient(String id, String what, double value) {
    return Figure.of(id, what, value, "", Better.HIGHER);
  }

  private static void costs(
      String id,
      String of,
      Score score,
      double asked,
      BenchOperator operator,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var ours = score.of(Side.OPERATOR);
    measurementRecorder.add(
        Figure.ratio(
            id + "requests",
            "API requests of the operator per release" + of,
            asked / ours.releases(),
            "",
            Better.LOWER));
    perRelease(id + "cpu-operator", "operator" + of, ours, ours.operatorCpu(), measurementRecorder);
    perRelease(
        id + "cpu-helm", "its helm children" + of, ours, ours.helmCpu(), measurementRecorder);
    perRelease(
        id + "cpu-server",
        "API server and etcd meanwhile" + of,
        ours,
        ours.serverCpu(),
        measurementRecorder);
    var plain = score.of(Side.HELM);
    perRelease(
        id + "plain-cpu-helm",
        "helm of the plain loop" + of,
        plain,
        plain.helmCpu(),
        measurementRecorder);
    perRelease(
        id + "plain-cpu-server",
        "API server and etcd during the plain loop" + of,
        plain,
        plain.serverCpu(),
        measurementRecorder);
    measurementRecorder.add(
        Figure.ratio(
            id + "cpu-of-helm",
            "all processor time, by that of the plain loop" + of,
            ours.cpu() / plain.cpu(),
            "",
            Better.LOWER));
    measurementRecorder.add(
        Figure.of(
                id + "resident",
                "operator's memory, at most" + of,
                operator.figures().peakMib(),
                "MiB",
                Better.LOWER)
            .withGoal(RESIDENT_GOAL));
  }

  private static void perRelease(
      String id, String whose, Cost cost, double seconds, MeasurementRecorder measurementRecorder) {
    measurementRecorder.add(
        Figure.of(
            id,
            "processor time: " + whose,
            seconds * 1000 / cost.releases(),
            "ms/release",
            Better.LOWER));
  }

  private static void plot(int tenants, Score score, MeasurementRecorder measurementRecorder) {
    measurementRecorder.point(
        TIME, "operator", tenants, 1000 / score.of(Side.OPERATOR).perSecond());
    measurementRecorder.point(TIME, "helm loop", tenants, 1000 / score.of(Side.HELM).perSecond());
    var ours = score.of(Side.OPERATOR);
    measurementRecorder.point(
        CPU, "operator", tenants, ours.operatorCpu() * 1000 / ours.releases());
    measurementRecorder.point(
        CPU, "helm children", tenants, ours.helmCpu() * 1000 / ours.releases());
    measurementRecorder.point(CPU, "servers", tenants, ours.serverCpu() * 1000 / ours.releases());
  }

  private static void singles(
      String id, Testbed testbed, int count, MeasurementRecorder measurementRecorder)
      throws Exception {
    if (count == 0) {
      return;
    }
    var times = Distribution.ofMillis(testbed.tenants().oneByOne("single-", count));
    var what = "one tenant when idle, from creation to deployed: ";
    measurementRecorder.add(
        Figure.of(id + "single-median", what + "median", times.median(), "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.of(
            id + "single-p99", what + "p99 of " + count, times.quantile(0.99), "ms", Better.LOWER));
  }
}
