// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BareClient;
import io.krypton.bench.harness.BareClient.Namespaces;
import io.krypton.bench.harness.BenchChart;
import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.ParallelRunner;
import io.krypton.bench.harness.PlainHelm;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.ProcessStats.CpuTime;
import io.krypton.bench.harness.Stopwatch;
import io.krypton.bench.harness.Tenants;
import io.krypton.sandbox.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The same releases by four sides. The operator and the plain loop are what a goal compares: they
 * take many turns, one right after the other and each first as often, so that both meet the same
 * noise of a machine whose speed changes within minutes. The others show where the time goes, in
 * one turn.
 */
final class HelmComparison {
  /** Who makes the releases. */
  enum Side {
    OPERATOR,
    /** A plain loop of the same {@code helm install} or {@code helm upgrade} calls. */
    HELM,
    /** A loop of calls as people type them. */
    TYPED,
    /** A bare client that writes what Helm leaves behind. */
    FLOOR
  }

  private static final List<Side> PAIR = List.of(Side.OPERATOR, Side.HELM);
  private static final List<Side> ONCE = List.of(Side.TYPED, Side.FLOOR);
  private static final String FIRST_ROUND = "round-0";

  /** After that the JVM has compiled most of what a release needs. */
  private static final Duration WARM = Duration.ofMinutes(1);

  private final Testbed testbed;
  private final BenchOperator operator;
  private final List<ControlPlane> planes;
  private final List<Baselines> baselines = new ArrayList<>();
  private final long begun = System.nanoTime();
  private int ready;

  HelmComparison(Testbed testbed, BenchOperator operator, List<ControlPlane> planes) {
    this.testbed = testbed;
    this.operator = operator;
    this.planes = planes;
  }

  /** What works without the operator on one cluster. */
  private record Baselines(ControlPlane plane, PlainHelm helm, BareClient bare) {}

  /**
   * What some releases took: seconds that the machine had, processor seconds of everybody who takes
   * part, and requests of the operator. An operator that stands by while others work takes no part.
   */
  record Cost(
      int releases,
      double seconds,
      double operatorCpu,
      double helmCpu,
      double serverCpu,
      double requests) {
    Cost plus(Cost more) {
      return new Cost(
          releases + more.releases,
          seconds + more.seconds,
          operatorCpu + more.operatorCpu,
          helmCpu + more.helmCpu,
          serverCpu + more.serverCpu,
          requests + more.requests);
    }

    double perSecond() {
      return releases / seconds;
    }

    /** Of everybody together, for one release. */
    double cpu() {
      return (operatorCpu + helmCpu + serverCpu) / releases;
    }
  }

  /** What each side took for all its turns together. */
  record Score(Map<Side, Cost> costs) {
    Score {
      costs = Map.copyOf(costs);
    }

    Cost of(Side side) {
      return Objects.requireNonNull(costs.get(side));
    }

    /** How fast one side is, by the speed of another. */
    double speed(Side side, Side by) {
      return of(side).perSecond() / of(by).perSecond();
    }
  }

  /**
   * The first install of all asks for the API schema; no side shall pay for the others. Then some
   * releases that do not count: an operator lives for weeks, so what its first minute costs says
   * little.
   */
  void warmUp(int releases) throws Exception {
    for (var plane : planes) {
      var helm = testbed.helm(plane);
      Namespaces.create(plane, "plain-warm");
      helm.install("plain-warm", testbed.chart(), true);
      new Tenants(plane).create("warm");
      ready++;
      baselines.add(new Baselines(plane, helm, new BareClient(plane, "plain-warm")));
    }
    operator.awaitReady(ready);
    for (var here : baselines) {
      here.bare().write("bare-warm");
    }
    for (var side : PAIR) {
      turn(side, names(side, "warm", releases));
    }
  }

  /** What a goal compares. */
  Score compareInstalls(int rounds, int perRound) throws Exception {
    var costs = new EnumMap<Side, Cost>(Side.class);
    for (var round = 0; round < rounds; round++) {
      for (var side : order(round)) {
        costs.merge(side, turn(side, names(side, "round-" + round, perRound)), Cost::plus);
      }
    }
    return new Score(costs);
  }

  /** The releases of the first round get other values, by an operator that runs for a minute. */
  Score compareUpgrades(int rounds, int perRound) throws Exception {
    var age = Duration.ofNanos(System.nanoTime() - begun);
    if (age.compareTo(WARM) < 0) {
      Thread.sleep(WARM.minus(age));
    }
    var costs = new EnumMap<Side, Cost>(Side.class);
    for (var round = 0; round < rounds; round++) {
      var values = BenchChart.values("round " + round);
      for (var side : order(round)) {
        var names = names(side, FIRST_ROUND, perRound);
        var cost =
            side == Side.OPERATOR
                ? upgradedByOperator(names, values)
                : upgradedByLoop(names, values);
        costs.merge(side, cost, Cost::plus);
      }
    }
    return new Score(costs);
  }

  private static List<Side> order(int round) {
    return round % 2 == 0 ? PAIR : PAIR.reversed();
  }

  /** The others, added to what the pair took. */
  Score runBaselines(Score pair, int releases) throws Exception {
    var costs = new EnumMap<Side, Cost>(pair.costs());
    for (var side : ONCE) {
      costs.put(side, turn(side, names(side, "once", releases)));
    }
    return new Score(costs);
  }

  private static List<String> names(Side side, String when, int releases) {
    var names = new ArrayList<String>();
    for (var i = 0; i < releases; i++) {
      names.add("%s-%s-%d".formatted(side.name().toLowerCase(Locale.ROOT), when, i));
    }
    return names;
  }

  private Cost turn(Side side, List<String> names) throws Exception {
    return switch (side) {
      case OPERATOR -> byOperator(names);
      case HELM ->
          byOthers(
              names,
              (here, name) -> {
                Namespaces.create(here.plane(), name);
                here.helm().install(name, testbed.chart(), false);
              });
      case TYPED ->
          byOthers(names, (here, name) -> here.helm().installAsTyped(name, testbed.chart()));
      case FLOOR -> byOthers(names, (here, name) -> here.bare().write(name));
    };
  }

  private Cost byOperator(List<String> names) throws Exception {
    return measured(
        names,
        true,
        () -> {
          // Whoever creates Tenants does not wait for the operator, but does not flood it either.
          ParallelRunner.run(
              Testbed.CONCURRENCY, names, name -> new Tenants(planeOf(name)).create(name));
          ready += names.size();
          operator.awaitReady(ready);
        });
  }

  /** Until the API says of each Tenant that it is ready as it is asked for now. */
  private Cost upgradedByOperator(List<String> names, String values) throws Exception {
    var before = operator.metric(BenchOperator.HELM_OPERATIONS);
    return measured(
        names,
        true,
        () -> {
          ParallelRunner.run(
              Testbed.CONCURRENCY, names, name -> new Tenants(planeOf(name)).change(name, values));
          Polling.until(
              "all upgraded",
              () -> operator.metric(BenchOperator.HELM_OPERATIONS) - before >= names.size());
          operator.awaitReady(ready);
          Polling.until("all up to date", () -> upToDate() == ready);
        });
  }

  private int upToDate() {
    return planes.stream().mapToInt(plane -> new Tenants(plane).upToDate()).sum();
  }

  private Cost upgradedByLoop(List<String> names, String values) throws Exception {
    return byOthers(names, (here, name) -> here.helm().upgrade(name, testbed.chart(), values));
  }

  private interface Release {
    void make(Baselines here, String name) throws Exception;
  }

  private Cost byOthers(List<String> names, Release release) throws Exception {
    return measured(
        names,
        false,
        () ->
            ParallelRunner.run(
                Testbed.CONCURRENCY,
                names,
                name -> release.make(baselines.get(planeIndexOf(name)), name)));
  }

  private ControlPlane planeOf(String name) {
    return planes.get(planeIndexOf(name));
  }

  private int planeIndexOf(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) % planes.size();
  }

  private interface Turn {
    void run() throws Exception;
  }

  /**
   * The clock stops at the end of the turn. Processor time counts until all is quiet: controllers
   * lag behind, and the operator tells events at a pace. Both belong to the cost of this turn, and
   * not to the noise of the next.
   */
  private Cost measured(List<String> names, boolean byOperator, Turn turn) throws Exception {
    var self = CpuTime.of(ProcessHandle.current().pid());
    var theirs = operator.cpu();
    var asked = operator.metric(BenchOperator.REQUESTS);
    var servers = Testbed.serverCpu(planes);
    var watch = Stopwatch.start();
    turn.run();
    var seconds = watch.seconds();
    operator.awaitQuiet();
    Testbed.awaitQuietServers(planes);
    var serverCpu = Testbed.serverCpu(planes) - servers;
    if (byOperator) {
      var used = operator.cpu().minus(theirs);
      var requests = operator.metric(BenchOperator.REQUESTS) - asked;
      return new Cost(names.size(), seconds, used.own(), used.children(), serverCpu, requests);
    }
    var used = CpuTime.of(ProcessHandle.current().pid()).minus(self);
    return new Cost(names.size(), seconds, 0, used.children(), serverCpu, 0);
  }
}
