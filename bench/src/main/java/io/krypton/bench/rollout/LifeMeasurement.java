// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BenchChart;
import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.ParallelRunner;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.Stopwatch;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * What releases cost after their rollout: while nothing happens, when they drift, when they are
 * upgraded.
 */
public final class LifeMeasurement implements Measurement {
  @Override
  public String name() {
    return "life";
  }

  @Override
  public Parameters full() {
    return Parameters.of("tenants=20,300", "quiet-seconds=300", "drifts=20", "plain=40");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.of(Parameters.of("tenants=20", "quiet-seconds=0", "drifts=2", "plain=16"));
  }

  @Override
  public Optional<Parameters> goals() {
    return Optional.of(full().with(Parameters.of("tenants=20", "quiet-seconds=0", "drifts=0")));
  }

  @Override
  public Duration expected(Parameters parameters) {
    var each = 25_000 + 1000L * parameters.number("drifts") + 350L * parameters.number("plain");
    var millis = SteadyPhase.expected(quiet(parameters)).toMillis();
    for (var tenants : parameters.numbers("tenants")) {
      millis += each + 330L * tenants;
    }
    return Duration.ofMillis(millis);
  }

  private static Duration quiet(Parameters parameters) {
    return Duration.ofSeconds(parameters.number("quiet-seconds"));
  }

  /** Silence takes long and is the same for all, so only the largest number is watched in it. */
  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var watched = quiet(parameters).isPositive();
    var largest = parameters.numbers("tenants").stream().max(Integer::compare).orElseThrow();
    for (var tenants : parameters.numbers("tenants")) {
      run(
          benchEnvironment,
          tenants,
          tenants.equals(largest) && watched,
          parameters,
          measurementRecorder);
    }
  }

  private static void run(
      BenchEnvironment benchEnvironment,
      int tenants,
      boolean watched,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    try (var testbed = Testbed.create(benchEnvironment, UnaryOperator.identity())) {
      try (var operator = testbed.operator()) {
        operator.awaitEngaged(1);
        measurementRecorder.step("rolling out %d tenants".formatted(tenants));
        for (var i = 0; i < tenants; i++) {
          testbed.tenants().create("tenant-" + i);
        }
        operator.awaitReady(tenants);
        operator.awaitQuiet();
        if (watched) {
          measurementRecorder.step("silence");
          SteadyPhase.run(
              operator,
              tenants + " releases",
              "life/" + tenants + "/steady-",
              quiet(parameters),
              measurementRecorder);
        }
        if (parameters.number("drifts") > 0) {
          measurementRecorder.step("drift");
          DriftPhase.run(testbed, tenants, parameters.number("drifts"), measurementRecorder);
        }
      }
      measurementRecorder.step("upgrade");
      UpgradePhase.run(testbed, tenants, parameters.number("plain"), measurementRecorder);
    }
  }

  /**
   * Somebody deletes an object of a release: when do users see that it was noticed, when is it
   * back?
   */
  static final class DriftPhase {
    private DriftPhase() {}

    static void run(
        Testbed testbed, int tenants, int drifts, MeasurementRecorder measurementRecorder)
        throws Exception {
      var noticed = new ArrayList<Duration>();
      var repaired = new ArrayList<Duration>();
      var tenantsHere = testbed.tenants();
      for (var i = 0; i < Math.min(drifts, tenants); i++) {
        var name = "tenant-" + i;
        var object = "/api/v1/namespaces/%s/configmaps/bench".formatted(name);
        var begun = System.nanoTime();
        testbed.edge().admin().delete(object).orThrow();
        Polling.timed("drift of %s noticed".formatted(name), () -> !tenantsHere.isReady(name));
        noticed.add(Duration.ofNanos(System.nanoTime() - begun));
        Polling.timed(
            "drift of %s repaired".formatted(name), () -> testbed.edge().admin().get(object).ok());
        repaired.add(Duration.ofNanos(System.nanoTime() - begun));
        Polling.until("%s ready again".formatted(name), () -> tenantsHere.isReady(name));
      }
      var id = "life/%d/drift-".formatted(tenants);
      var what = "a deleted object (%d releases), until ".formatted(tenants);
      record(measurementRecorder, id + "noticed", what + "the status tells", noticed);
      record(measurementRecorder, id + "repaired", what + "it is back", repaired);
    }

    private static void record(
        MeasurementRecorder measurementRecorder, String id, String what, List<Duration> times) {
      var all = Distribution.ofMillis(times);
      measurementRecorder.add(
          Figure.of(id + "-median", what + ": median", all.median(), "ms", Better.LOWER));
      measurementRecorder.add(
          Figure.of(
              id + "-worst",
              "%s: worst of %d".formatted(what, times.size()),
              all.worst(),
              "ms",
              Better.LOWER));
    }
  }

  /** The operator starts with another version of the chart: every release is upgraded, once. */
  static final class UpgradePhase {
    private static final String VERSION = "1.1.0";
    private static final int SIZE_OF_GOAL = 20;
    private static final double GOAL = 1.0;

    private UpgradePhase() {}

    static void run(
        Testbed testbed, int tenants, int plain, MeasurementRecorder measurementRecorder)
        throws Exception {
      var next = BenchChart.writeNext(testbed.directory(), VERSION);
      var helm = testbed.helm(testbed.edge());
      var names = IntStream.range(0, plain).mapToObj(i -> "plain-" + i).toList();
      testbed.installPlainly(names);
      // Half of the loop before and half after, so that both sides meet the same noise.
      var loop = loop(helm::upgrade, next, names.subList(0, plain / 2));
      var ours = byOperator(testbed, next, tenants);
      loop += loop(helm::upgrade, next, names.subList(plain / 2, plain));
      var id = "life/%d/upgrade-".formatted(tenants);
      var of = " (%d releases)".formatted(tenants);
      measurementRecorder.add(
          Figure.of(
              id + "per-second",
              "upgrades by the operator right after its start, once the cluster is engaged" + of,
              tenants / ours,
              "/s",
              Better.HIGHER));
      var ofHelm =
          Figure.ratio(
              id + "of-helm",
              "operator's upgrades right after its start, by a plain loop of helm upgrade" + of,
              (tenants / ours) / (plain / loop),
              "",
              Better.HIGHER);
      measurementRecorder.add(tenants == SIZE_OF_GOAL ? ofHelm.withGoal(GOAL) : ofHelm);
    }

    private interface Upgrade {
      void run(String name, Path chart) throws Exception;
    }

    private static double loop(Upgrade upgrade, Path chart, List<String> names) throws Exception {
      var watch = Stopwatch.start();
      ParallelRunner.run(Testbed.CONCURRENCY, names, name -> upgrade.run(name, chart));
      return watch.seconds();
    }

    private static double byOperator(Testbed testbed, Path chart, int tenants) throws Exception {
      try (var operator = testbed.operator(chart, VERSION)) {
        // The start of a program is no part of an upgrade, and would weigh most for few releases.
        operator.awaitEngaged(1);
        var watch = Stopwatch.start();
        Polling.until(
            "all upgraded", () -> operator.metric(BenchOperator.HELM_OPERATIONS) >= tenants);
        operator.awaitReady(tenants);
        Polling.until("all up to date", () -> testbed.tenants().upToDate() == tenants);
        return watch.seconds();
      }
    }
  }
}
