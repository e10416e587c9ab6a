package io.krypton.bench.rollout;

import io.krypton.bench.figure.Distribution;
import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.figure.Findings.Axes;
import io.krypton.bench.lab.BenchOperator;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Parameters;
import io.krypton.bench.rollout.Contest.Cost;
import io.krypton.bench.rollout.Contest.Score;
import io.krypton.sandbox.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What the operator adds to Helm, and how far Helm is from what the API server could take. */
public final class RolloutMeasurement implements Measurement {
  /** A round has all Tenants in one go, and is not repeated when this many are measured. */
  private static final int ENOUGH = 300;

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
    return Parameters.of("tenants=10,100,300", "rounds=3", "two-clusters=100", "singles=30");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("tenants=10", "rounds=1", "two-clusters=0", "singles=5"));
  }

  @Override
  public Duration expected(Parameters parameters) {
    var sizes = new ArrayList<>(parameters.numbers("tenants"));
    if (parameters.number("two-clusters") > 0) {
      sizes.add(parameters.number("two-clusters"));
    }
    var releases = sizes.stream().mapToInt(size -> size * rounds(parameters, size)).sum();
    return Duration.ofMillis(
        14_000L * sizes.size() + 950L * releases + 400L * parameters.number("singles"));
  }

  private static int rounds(Parameters parameters, int tenants) {
    return Math.clamp(ENOUGH / tenants, 1, parameters.number("rounds"));
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    for (var tenants : parameters.numbers("tenants")) {
      run(bench, 1, tenants, parameters, findings);
    }
    if (parameters.number("two-clusters") > 0) {
      run(bench, 2, parameters.number("two-clusters"), parameters, findings);
    }
  }

  private static void run(
      Bench bench, int clusters, int tenants, Parameters parameters, Findings findings)
      throws Exception {
    findings.step("%d tenants on %d clusters".formatted(tenants, clusters));
    try (var scene = Scene.set(bench, UnaryOperator.identity());
        var operator = scene.operator()) {
      var home = scene.home().plane();
      if (clusters == 2) {
        scene.home().register("home", home.adminKubeconfig());
      }
      operator.awaitEngaged(clusters);
      List<ControlPlane> planes =
          clusters == 2 ? List.of(scene.edge(), home) : List.of(scene.edge());
      var contest = new Contest(scene, operator, planes);
      contest.warmUp();
      var requests = operator.metric(BenchOperator.REQUESTS);
      var score = contest.play(rounds(parameters, tenants), tenants);
      var asked = operator.metric(BenchOperator.REQUESTS) - requests;
      var id = "rollout/%dx%d/".formatted(clusters, tenants);
      var of = " (%d tenants, %d cluster%s)".formatted(tenants, clusters, clusters == 1 ? "" : "s");
      throughput(id, of, score, findings);
      costs(id, of, score, asked, operator, findings);
      if (clusters == 1) {
        plot(tenants, score, findings);
        var singles = parameters.number("singles");
        singles(id, scene, tenants == 100 || singles < 10 ? singles : 0, findings);
      }
    }
  }

  private static void throughput(String id, String of, Score score, Findings findings) {
    findings.add(speed(id + "operator", "releases by the operator" + of, score, score.operator()));
    findings.add(speed(id + "helm", "releases by a plain helm loop" + of, score, score.helm()));
    findings.add(
        speed(id + "typed", "releases by a helm loop as typed" + of, score, score.typed()));
    findings.add(
        speed(
            id + "ledger",
            "releases by a plain loop with the operator's writes" + of,
            score,
            score.ledger()));
    findings.add(speed(id + "floor", "releases by a bare client" + of, score, score.floor()));
    var ofHelm =
        Figure.ratio(
            id + "of-helm",
            "operator's speed, by that of the plain loop" + of,
            score.helm().seconds() / score.operator().seconds(),
            "",
            Better.HIGHER);
    findings.add(id.endsWith("1x100/") ? ofHelm.withGoal(THROUGHPUT_GOAL) : ofHelm);
    findings.add(
        Figure.ratio(
            id + "of-typed",
            "operator's speed, by that of the loop as typed" + of,
            score.typed().seconds() / score.operator().seconds(),
            "",
            Better.HIGHER));
    findings.add(
        Figure.ratio(
            id + "ledger-of-helm",
            "what the operator's writes alone leave of the plain loop's speed" + of,
            score.helm().seconds() / score.ledger().seconds(),
            "",
            Better.HIGHER));
    findings.add(
        Figure.ratio(
            id + "of-ledger",
            "operator's speed, by that of the plain loop with its writes" + of,
            score.ledger().seconds() / score.operator().seconds(),
            "",
            Better.HIGHER));
    findings.add(
        Figure.ratio(
            id + "of-floor",
            "operator's speed, by that of the bare client" + of,
            score.floor().seconds() / score.operator().seconds(),
            "",
            Better.HIGHER));
  }

  private static Figure speed(String id, String what, Score score, Cost cost) {
    return Figure.of(
        id + "-per-second", what, score.releases() / cost.seconds(), "/s", Better.HIGHER);
  }

  private static void costs(
      String id, String of, Score score, double asked, BenchOperator operator, Findings findings)
      throws Exception {
    var ours = score.operator();
    findings.add(
        Figure.ratio(
            id + "requests",
            "API requests of the operator per release" + of,
            asked / score.releases(),
            "",
            Better.LOWER));
    findings.add(
        perRelease(
            id + "cpu-operator", "processor time: operator" + of, score, ours.operatorCpu()));
    findings.add(
        perRelease(
            id + "cpu-helm", "processor time: its helm children" + of, score, ours.helmCpu()));
    findings.add(
        perRelease(
            id + "cpu-server",
            "processor time: API server and etcd meanwhile" + of,
            score,
            ours.serverCpu()));
    findings.add(
        Figure.ratio(
            id + "cpu-of-helm",
            "all processor time, by that of the plain loop" + of,
            sum(ours) / sum(score.helm()),
            "",
            Better.LOWER));
    findings.add(
        Figure.of(
                id + "resident",
                "operator's memory, at most" + of,
                operator.figures().peakMib(),
                "MiB",
                Better.LOWER)
            .withGoal(RESIDENT_GOAL));
  }

  private static Figure perRelease(String id, String what, Score score, double seconds) {
    return Figure.of(id, what, seconds * 1000 / score.releases(), "ms/release", Better.LOWER);
  }

  private static double sum(Cost cost) {
    return cost.operatorCpu() + cost.helmCpu() + cost.serverCpu();
  }

  private static void plot(int tenants, Score score, Findings findings) {
    var releases = (double) score.releases();
    findings.point(TIME, "operator", tenants, score.operator().seconds() * 1000 / releases);
    findings.point(TIME, "helm loop", tenants, score.helm().seconds() * 1000 / releases);
    findings.point(TIME, "bare client", tenants, score.floor().seconds() * 1000 / releases);
    findings.point(CPU, "operator", tenants, score.operator().operatorCpu() * 1000 / releases);
    findings.point(CPU, "helm children", tenants, score.operator().helmCpu() * 1000 / releases);
    findings.point(CPU, "servers", tenants, score.operator().serverCpu() * 1000 / releases);
  }

  private static void singles(String id, Scene scene, int count, Findings findings)
      throws Exception {
    if (count == 0) {
      return;
    }
    var times = Distribution.ofMillis(scene.tenants().oneByOne("single-", count));
    var what = "one tenant when idle, from creation to deployed: ";
    findings.add(
        Figure.of(id + "single-median", what + "median", times.median(), "ms", Better.LOWER));
    findings.add(
        Figure.of(
            id + "single-p99", what + "p99 of " + count, times.quantile(0.99), "ms", Better.LOWER));
  }
}
