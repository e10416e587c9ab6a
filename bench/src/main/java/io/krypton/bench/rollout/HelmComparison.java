// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.BareClient;
import io.krypton.bench.harness.BareClient.Namespaces;
import io.krypton.bench.harness.BenchOperator;
import io.krypton.bench.harness.OperatorWrites;
import io.krypton.bench.harness.ParallelRunner;
import io.krypton.bench.harness.PlainHelm;
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
import java.util.concurrent.Semaphore;

/**
 * The same releases by five sides. The operator and the plain loop are what a goal compares: they
 * take many turns, one right after the other and each first as often, so that both meet the same
 * noise of a machine whose speed changes within minutes. The others show where the time goes, in
 * one turn.
 */
final class HelmComparison {
  /** Who makes the releases. */
  enum Side {
    OPERATOR,
    /** A plain loop of the same {@code helm install} calls. */
    HELM,
    /** A loop of calls as people type them. */
    TYPED,
    /** The plain loop, with what the operator writes. */
    LEDGER,
    /** A bare client that writes what Helm leaves behind. */
    FLOOR
  }

  private static final Duration POLL_INTERVAL = Duration.ofSeconds(1);

  /** Processor seconds between two looks that are no work for anybody. */
  private static final double QUIET_SERVERS = 0.2;

  private static final List<Side> ONCE = List.of(Side.TYPED, Side.LEDGER, Side.FLOOR);

  private final Testbed testbed;
  private final BenchOperator operator;
  private final List<ControlPlane> planes;
  private final List<Baselines> baselines = new ArrayList<>();
  private int ready;

  HelmComparison(Testbed testbed, BenchOperator operator, List<ControlPlane> planes) {
    this.testbed = testbed;
    this.operator = operator;
    this.planes = planes;
  }

  /** What works without the operator on one cluster. */
  private record Baselines(
      ControlPlane plane, PlainHelm helm, OperatorWrites ledger, BareClient bare) {}

  /** What some releases took: seconds that the machine had, and processor seconds of everybody. */
  record Cost(int releases, double seconds, double operatorCpu, double helmCpu, double serverCpu) {
    Cost plus(Cost more) {
      return new Cost(
          releases + more.releases,
          seconds + more.seconds,
          operatorCpu + more.operatorCpu,
          helmCpu + more.helmCpu,
          serverCpu + more.serverCpu);
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
      testbed.helm(plane).install(inNew(plane, "plain-warm"), testbed.chart(), true);
      new Tenants(plane).create("warm");
      ready++;
    }
    operator.awaitReady(ready);
    for (var plane : planes) {
      var operatorWrites = OperatorWrites.copyOf(plane, "warm");
      operatorWrites.writeBeforeHelm("ledger-warm");
      operatorWrites.writeAfterHelm("ledger-warm");
      var bare = new BareClient(plane, "plain-warm");
      bare.write("bare-warm");
      baselines.add(new Baselines(plane, testbed.helm(plane), operatorWrites, bare));
    }
    for (var side : List.of(Side.OPERATOR, Side.HELM)) {
      turn(side, "warm", releases);
    }
  }

  private static String inNew(ControlPlane plane, String namespace) {
    Namespaces.create(plane, namespace);
    return namespace;
  }

  /** What a goal compares. */
  Score comparePair(int rounds, int perRound) throws Exception {
    var costs = new EnumMap<Side, Cost>(Side.class);
    for (var round = 0; round < rounds; round++) {
      var pair = List.of(Side.OPERATOR, Side.HELM);
      for (var side : round % 2 == 0 ? pair : pair.reversed()) {
        costs.merge(side, turn(side, "round-" + round, perRound), Cost::plus);
      }
    }
    return new Score(costs);
  }

  /** The others, added to what the pair took. */
  Score runBaselines(Score pair, int releases) throws Exception {
    var costs = new EnumMap<Side, Cost>(pair.costs());
    for (var side : ONCE) {
      costs.put(side, turn(side, "once", releases));
    }
    return new Score(costs);
  }

  private Cost turn(Side side, String when, int releases) throws Exception {
    var names = new ArrayList<String>();
    for (var i = 0; i < releases; i++) {
      names.add("%s-%s-%d".formatted(side.name().toLowerCase(Locale.ROOT), when, i));
    }
    return switch (side) {
      case OPERATOR -> byOperator(names);
      case HELM -> byLoop(names);
      case TYPED -> byTypedCommands(names);
      case LEDGER -> byOperatorWrites(names);
      case FLOOR -> byBareClient(names);
    };
  }

  private Cost byOperator(List<String> names) throws Exception {
    return measured(
        names,
        () -> {
          // Whoever creates Tenants does not wait for the operator, but does not flood it either.
          ParallelRunner.run(
              Testbed.CONCURRENCY,
              names,
              name -> new Tenants(planes.get(planeIndexOf(name))).create(name));
          ready += names.size();
          operator.awaitReady(ready);
        });
  }

  private Cost byLoop(List<String> names) throws Exception {
    return measured(
        names,
        () ->
            ParallelRunner.run(
                Testbed.CONCURRENCY,
                names,
                name -> {
                  var here = baselines.get(planeIndexOf(name));
                  here.helm().install(inNew(here.plane(), name), testbed.chart(), false);
                }));
  }

  private Cost byTypedCommands(List<String> names) throws Exception {
    return measured(
        names,
        () ->
            ParallelRunner.run(
                Testbed.CONCURRENCY,
                names,
                name ->
                    baselines
                        .get(planeIndexOf(name))
                        .helm()
                        .installAsTyped(name, testbed.chart())));
  }

  /**
   * As the operator does it: what is written about a release holds up no other one's Helm, Helm is
   * as cheap as there, and events are told afterwards. An operator that makes these writes cannot
   * be faster.
   */
  private Cost byOperatorWrites(List<String> names) throws Exception {
    var turns = new Semaphore(Testbed.CONCURRENCY);
    return measured(
        names,
        () ->
            ParallelRunner.run(
                3 * Testbed.CONCURRENCY,
                names,
                name -> {
                  var here = baselines.get(planeIndexOf(name));
                  here.ledger().writeBeforeHelm(name);
                  Namespaces.create(here.plane(), name);
                  turns.acquire();
                  try {
                    here.helm().tuned().install(name, testbed.chart(), false);
                  } finally {
                    turns.release();
                  }
                  here.ledger().writeAfterHelm(name);
                }),
        () ->
            ParallelRunner.run(
                Testbed.CONCURRENCY,
                names,
                name -> baselines.get(planeIndexOf(name)).ledger().writeEvents(name)));
  }

  private Cost byBareClient(List<String> names) throws Exception {
    return measured(
        names,
        () ->
            ParallelRunner.run(
                Testbed.CONCURRENCY,
                names,
                name -> baselines.get(planeIndexOf(name)).bare().write(name)));
  }

  private int planeIndexOf(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) % planes.size();
  }

  private interface Turn {
    void run() throws Exception;
  }

  private Cost measured(List<String> names, Turn turn) throws Exception {
    return measured(names, turn, () -> {});
  }

  /**
   * The clock stops at the end of the turn. Processor time counts until all is quiet: controllers
   * lag behind, and the operator tells events at a pace. Both belong to the cost of this turn, and
   * not to the noise of the next.
   */
  private Cost measured(List<String> names, Turn turn, Turn rest) throws Exception {
    var self = CpuTime.of(ProcessHandle.current().pid());
    var theirs = operator.cpu();
    var servers = serverCpu();
    var watch = Stopwatch.start();
    turn.run();
    var seconds = watch.seconds();
    rest.run();
    operator.awaitQuiet();
    awaitQuietServers();
    var operatorUsed = operator.cpu().minus(theirs);
    var used = CpuTime.of(ProcessHandle.current().pid()).minus(self);
    return new Cost(
        names.size(),
        seconds,
        operatorUsed.own(),
        operatorUsed.children() + used.children(),
        serverCpu() - servers);
  }

  private void awaitQuietServers() throws Exception {
    var before = 0.0;
    var now = serverCpu();
    while (now - before > QUIET_SERVERS) {
      before = now;
      Thread.sleep(POLL_INTERVAL);
      now = serverCpu();
    }
  }

  private double serverCpu() throws Exception {
    var sum = 0.0;
    for (var plane : planes) {
      sum += Testbed.serverCpu(plane);
    }
    return sum;
  }
}
