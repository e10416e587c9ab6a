// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BenchChart;
import io.krypton.bench.harness.BenchHomeCluster;
import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.Tenants;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.ControlPlaneBuilder;
import io.krypton.sandbox.fault.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** One of several clusters swallows everything: what do the Tenants of the others feel? */
public final class BlackHoleMeasurement implements Measurement {
  private static final double UNREACHABLE_GOAL = 45;

  @Override
  public String name() {
    return "blackhole";
  }

  @Override
  public Parameters full() {
    return Parameters.of("clusters=5", "tenants=40", "stuck=40");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(
        20 + 4L * parameters.number("clusters") + parameters.number("tenants") + 75);
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var planes =
        ControlPlane.startAll(
            IntStream.range(0, parameters.number("clusters"))
                .mapToObj(i -> ControlPlane.builder("cluster-" + i).withoutControllerManager())
                .toArray(ControlPlaneBuilder[]::new));
    try {
      run(benchEnvironment, planes, parameters, measurementRecorder);
    } finally {
      planes.forEach(ControlPlane::close);
    }
  }

  private static void run(
      BenchEnvironment benchEnvironment,
      List<ControlPlane> planes,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var home = BenchHomeCluster.prepare(planes.getFirst());
    var healthy = planes.subList(0, planes.size() - 1);
    var doomed = planes.getLast();
    var proxy = doomed.proxy();
    healthy.forEach(plane -> home.register(plane.name(), plane.adminKubeconfig()));
    home.register(doomed.name(), doomed.adminKubeconfig(proxy));
    var chart = BenchChart.writeSmall(benchEnvironment.scratch());
    try (var operator =
        BenchOperator.start(
            benchEnvironment.distribution(),
            benchEnvironment.scratch(),
            home,
            BenchChart.flags(chart, BenchChart.VERSION))) {
      operator.awaitEngaged(planes.size());
      for (var plane : planes) {
        new Tenants(plane).single("warm");
      }
      compare(operator, healthy, doomed, proxy, parameters, measurementRecorder);
    }
  }

  private static void compare(
      BenchOperator operator,
      List<ControlPlane> healthy,
      ControlPlane doomed,
      FaultProxy proxy,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var tenants = parameters.number("tenants");
    measurementRecorder.step("all is well");
    var before = Distribution.ofMillis(oneByOne(healthy, "before-", tenants));
    measurementRecorder.step("one cluster is a black hole");
    for (var i = 0; i < parameters.number("stuck"); i++) {
      new Tenants(doomed).create("stuck-" + i);
    }
    proxy.blackHole();
    var begun = System.nanoTime();
    var during = Distribution.ofMillis(oneByOne(healthy, "during-", tenants));
    Polling.until("the outage is noticed", () -> operator.engaged() == healthy.size());
    var noticed = Duration.ofNanos(System.nanoTime() - begun);
    measurementRecorder.step("it is back");
    proxy.pass();
    var back = Polling.timed("recovered", () -> operator.engaged() == healthy.size() + 1);
    var id = "blackhole/%d/".formatted(healthy.size() + 1);
    record(measurementRecorder, id, before, during);
    measurementRecorder.add(
        Figure.of(
                id + "noticed",
                "until the cluster is Unreachable, at most",
                noticed.toMillis() / 1000.0,
                "s",
                Better.LOWER)
            .withGoal(UNREACHABLE_GOAL));
    measurementRecorder.add(
        Figure.of(
            id + "recovered",
            "after the end of the outage, until it is Engaged",
            back.toMillis() / 1000.0,
            "s",
            Better.LOWER));
  }

  private static void record(
      MeasurementRecorder measurementRecorder,
      String id,
      Distribution before,
      Distribution during) {
    var what = "a tenant elsewhere, from creation to deployed: ";
    measurementRecorder.add(
        Figure.of(
            id + "before-median", what + "median before", before.median(), "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.of(
            id + "during-median", what + "median during", during.median(), "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.of(id + "during-worst", what + "worst during", during.worst(), "ms", Better.LOWER));
    measurementRecorder.add(
        Figure.ratio(
            id + "during-of-before",
            what + "median during, by that before",
            during.median() / before.median(),
            "",
            Better.LOWER));
  }

  private static List<Duration> oneByOne(List<ControlPlane> planes, String prefix, int count)
      throws Exception {
    var times = new ArrayList<Duration>();
    for (var i = 0; i < count; i++) {
      times.add(new Tenants(planes.get(i % planes.size())).single(prefix + i));
    }
    return times;
  }
}
