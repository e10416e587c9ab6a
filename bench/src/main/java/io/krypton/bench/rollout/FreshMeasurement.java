// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BareClient.Namespaces;
import io.krypton.bench.harness.MemoryWatch;
import io.krypton.bench.harness.ParallelRunner;
import io.krypton.bench.harness.Stopwatch;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * An operator that has just started gets all Tenants in one go, after a single one. Each round has
 * servers and an operator of its own, and every other one begins with the plain loop; no operator
 * runs beside that.
 */
public final class FreshMeasurement implements Measurement {
  @Override
  public String name() {
    return "fresh";
  }

  @Override
  public Parameters full() {
    return Parameters.of("tenants=60", "rounds=2", "plain=20");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Optional<Parameters> goals() {
    return Optional.of(full());
  }

  @Override
  public Duration expected(Parameters parameters) {
    var releases = 2 * parameters.number("tenants") + parameters.number("plain");
    return Duration.ofMillis(parameters.number("rounds") * (25_000 + 160L * releases));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var rounds = parameters.number("rounds");
    var tenants = parameters.number("tenants");
    var times = new Times(0, 0, 0);
    for (var round = 0; round < rounds; round++) {
      measurementRecorder.step("round %d of %d".formatted(round + 1, rounds));
      var operatorFirst = round % 2 == 0;
      times =
          times.plus(round(benchEnvironment, operatorFirst, tenants, parameters.number("plain")));
    }
    times.figures(tenants, rounds).forEach(measurementRecorder::add);
  }

  /**
   * What rounds took.
   *
   * @param memory in MiB, of an operator with its children, at most
   */
  record Times(double operator, double loop, double memory) {
    Times plus(Times more) {
      return new Times(operator + more.operator, loop + more.loop, Math.max(memory, more.memory));
    }

    List<Figure> figures(int tenants, int rounds) {
      var id = "fresh/%d/".formatted(tenants);
      var of = " (just started, %d tenants)".formatted(tenants);
      var releases = tenants * rounds;
      return List.of(
          Figure.of(
              id + "operator-per-second",
              "releases by the operator" + of,
              releases / operator,
              "/s",
              Better.HIGHER),
          Figure.of(
              id + "helm-per-second",
              "releases by a plain helm loop" + of,
              releases / loop,
              "/s",
              Better.HIGHER),
          Figure.ratio(
                  id + "of-helm",
                  "operator's speed, by that of the plain loop" + of,
                  loop / operator,
                  "",
                  Better.HIGHER)
              .withGoal(RolloutGoals.FRESH),
          Figure.of(
                  id + "memory",
                  "operator and all its children together, at most" + of,
                  memory,
                  "MiB",
                  Better.LOWER)
              .withGoal(RolloutGoals.MEMORY));
    }
  }

  private static Times round(
      BenchEnvironment benchEnvironment, boolean operatorFirst, int tenants, int plain)
      throws Exception {
    try (var testbed = Testbed.create(benchEnvironment, UnaryOperator.identity())) {
      // The servers are not what has just started; and the first install asks for the API schema.
      Namespaces.create(testbed.edge(), "plain-warm");
      testbed.helm(testbed.edge()).install("plain-warm", testbed.chart(), true);
      testbed.installPlainly(names("servers", plain));
      var times = operatorFirst ? byOperator(testbed, tenants) : new Times(0, 0, 0);
      times = times.plus(byLoop(testbed, tenants));
      return operatorFirst ? times : times.plus(byOperator(testbed, tenants));
    }
  }

  private static List<String> names(String who, int count) {
    return IntStream.range(0, count).mapToObj(i -> who + "-" + i).toList();
  }

  private static Times byLoop(Testbed testbed, int tenants) throws Exception {
    Testbed.awaitQuietServers(List.of(testbed.edge()));
    var watch = Stopwatch.start();
    testbed.installPlainly(names("plain", tenants));
    return new Times(0, watch.seconds(), 0);
  }

  private static Times byOperator(Testbed testbed, int tenants) throws Exception {
    Testbed.awaitQuietServers(List.of(testbed.edge()));
    try (var operator = testbed.operator();
        var memory = MemoryWatch.start(operator.process().toHandle())) {
      operator.awaitEngaged(1);
      testbed.tenants().create("warm");
      operator.awaitReady(1);
      operator.awaitQuiet();
      var watch = Stopwatch.start();
      ParallelRunner.run(Testbed.CONCURRENCY, names("tenant", tenants), testbed.tenants()::create);
      operator.awaitReady(1 + tenants);
      var seconds = watch.seconds();
      return new Times(seconds, 0, memory.peak().together());
    }
  }
}
