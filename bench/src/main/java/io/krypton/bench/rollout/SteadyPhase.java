// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.MemoryWatch.Resident;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.MeasurementRecorder;
import java.time.Duration;

/** What the operator does while nothing happens. */
final class SteadyPhase {
  /** The last status writes still come back as watch events. */
  private static final Duration SETTLING = Duration.ofSeconds(10);

  /** A few requests in a few seconds are no rate to compare with that of another run. */
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

  private SteadyPhase() {}

  private record Counters(
      double requests, double writes, double helm, double reconciles, double cpu) {
    static Counters of(BenchOperator operator) throws Exception {
      return new Counters(
          operator.metric(BenchOperator.REQUESTS),
          operator.metric(BenchOperator.REQUESTS, "verb=\"POST\"")
              + operator.metric(BenchOperator.REQUESTS, "verb=\"PATCH\"")
              + operator.metric(BenchOperator.REQUESTS, "verb=\"PUT\"")
              + operator.metric(BenchOperator.REQUESTS, "verb=\"DELETE\""),
          operator.metric(BenchOperator.HELM_OPERATIONS),
          operator.metric("krypton_reconcile_total"),
          operator.cpu().all());
    }
  }

  static Duration expected(Duration quiet) {
    return quiet.isZero() ? quiet : SETTLING.plus(quiet);
  }

  static void run(
      BenchOperator operator,
      String of,
      String id,
      Duration quiet,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    Thread.sleep(SETTLING);
    var before = Counters.of(operator);
    Thread.sleep(quiet);
    var after = Counters.of(operator);
    var minutes = quiet.toSeconds() / 60.0;
    var suffix = " (steady, %s, %d s)".formatted(of, quiet.toSeconds());
    measurementRecorder.add(
        Figure.of(
            id + "cpu",
            "processor time per minute, operator and Helm worker" + suffix,
            (after.cpu() - before.cpu()) / minutes,
            "s/min",
            Better.LOWER));
    measurementRecorder.add(
        rate(
            quiet,
            id + "requests",
            "API requests per minute to all clusters" + suffix,
            (after.requests() - before.requests()) / minutes));
    measurementRecorder.add(
        rate(
            quiet,
            id + "writes",
            "of these, writes" + suffix,
            (after.writes() - before.writes()) / minutes));
    measurementRecorder.add(
        Figure.of(
            id + "looks",
            "looks at a release per minute, from caches" + suffix,
            (after.reconciles() - before.reconciles()) / minutes,
            "/min",
            Better.LOWER));
    measurementRecorder.add(
        Figure.ratio(
                id + "helm",
                "Helm operations" + suffix,
                after.helm() - before.helm(),
                "",
                Better.LOWER)
            .withGoal(0));
    measurementRecorder.add(
        Figure.of(
            id + "resident",
            "operator's memory at the end" + suffix,
            operator.figures().residentMib(),
            "MiB",
            Better.LOWER));
    measurementRecorder.add(
        Figure.of(
            id + "memory",
            "memory of operator and Helm worker at the end" + suffix,
            Resident.of(operator.process().toHandle()).together(),
            "MiB",
            Better.LOWER));
  }

  private static Figure rate(Duration quiet, String id, String what, double perMinute) {
    return quiet.compareTo(LONG_ENOUGH) < 0
        ? Figure.of(id, what, perMinute, "/min", Better.LOWER)
        : Figure.ratio(id, what, perMinute, "/min", Better.LOWER);
  }
}
