package io.krypton.bench.rollout;

import io.krypton.bench.lab.BareClient;
import io.krypton.bench.lab.BenchOperator;
import io.krypton.bench.lab.CpuTime;
import io.krypton.bench.lab.Ledger;
import io.krypton.bench.lab.Namespaces;
import io.krypton.bench.lab.PlainHelm;
import io.krypton.bench.lab.Tenants;
import io.krypton.bench.lab.Together;
import io.krypton.sandbox.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The same releases five times: by the operator, by a plain loop of the same {@code helm install}
 * calls, by a loop of calls as people type them, by a loop that also writes what the operator
 * writes, and by a bare client that writes what Helm leaves behind. In turns, so that all meet the
 * same noise.
 */
final class Contest {
  private final Scene scene;
  private final BenchOperator operator;
  private final List<ControlPlane> planes;
  private final List<Rivals> rivals = new ArrayList<>();
  private int ready;

  Contest(Scene scene, BenchOperator operator, List<ControlPlane> planes) {
    this.scene = scene;
    this.operator = operator;
    this.planes = planes;
  }

  /** What works without the operator on one cluster. */
  private record Rivals(ControlPlane plane, PlainHelm helm, Ledger ledger, BareClient bare) {}

  /** What one side took: wall clock, and processor seconds of everybody. */
  record Cost(double seconds, double operatorCpu, double helmCpu, double serverCpu) {
    Cost plus(Cost more) {
      return new Cost(
          seconds + more.seconds,
          operatorCpu + more.operatorCpu,
          helmCpu + more.helmCpu,
          serverCpu + more.serverCpu);
    }
  }

  /** What the five sides took for all rounds together. */
  record Score(int releases, Cost operator, Cost helm, Cost typed, Cost ledger, Cost floor) {}

  /** The first install of all asks for the API schema; no side shall pay for the others. */
  void warmUp() throws Exception {
    for (var plane : planes) {
      scene.helm(plane).install(inNew(plane, "plain-warm"), scene.chart(), true);
      new Tenants(plane).create("warm");
      ready++;
    }
    operator.awaitReady(ready);
    for (var plane : planes) {
      var ledger = Ledger.like(plane, "warm");
      ledger.open("ledger-warm");
      ledger.close("ledger-warm");
      var bare = new BareClient(plane, "plain-warm");
      bare.write("bare-warm");
      rivals.add(new Rivals(plane, scene.helm(plane), ledger, bare));
    }
  }

  private static String inNew(ControlPlane plane, String namespace) {
    Namespaces.create(plane, namespace);
    return namespace;
  }

  Score play(int rounds, int perRound) throws Exception {
    var nothing = new Cost(0, 0, 0, 0);
    var score = new Score(rounds * perRound, nothing, nothing, nothing, nothing, nothing);
    for (var round = 0; round < rounds; round++) {
      score =
          new Score(
              score.releases(),
              score.operator().plus(byOperator(names("tenant-" + round, perRound))),
              score.helm().plus(byLoop(names("plain-" + round, perRound))),
              score.typed().plus(byTyping(names("typed-" + round, perRound))),
              score.ledger().plus(byLedger(names("ledger-" + round, perRound))),
              score.floor().plus(byBareClient(names("bare-" + round, perRound))));
    }
    return score;
  }

  private Cost byOperator(List<String> names) throws Exception {
    return measured(
        () -> {
          // Whoever creates Tenants does not wait for the operator, but does not flood it either.
          Together.run(
              Scene.CONCURRENCY,
              names,
              name -> new Tenants(planes.get(placeOf(name))).create(name));
          ready += names.size();
          operator.awaitReady(ready);
        },
        // It tells events at a pace: they belong to its cost, and not to the next rival's noise.
        operator::awaitQuiet);
  }

  private Cost byLoop(List<String> names) throws Exception {
    return measured(
        () ->
            Together.run(
                Scene.CONCURRENCY,
                names,
                name -> {
                  var here = rivals.get(placeOf(name));
                  here.helm().install(inNew(here.plane(), name), scene.chart(), false);
                }));
  }

  private Cost byTyping(List<String> names) throws Exception {
    return measured(
        () ->
            Together.run(
                Scene.CONCURRENCY,
                names,
                name -> rivals.get(placeOf(name)).helm().typed(name, scene.chart())));
  }

  /**
   * As the operator does it: what is written about a release holds up no other one's Helm, and Helm
   * is as cheap as there. An operator that makes these writes cannot be faster.
   */
  private Cost byLedger(List<String> names) throws Exception {
    var turns = new Semaphore(Scene.CONCURRENCY);
    return measured(
        () ->
            Together.run(
                3 * Scene.CONCURRENCY,
                names,
                name -> {
                  var here = rivals.get(placeOf(name));
                  here.ledger().open(name);
                  Namespaces.create(here.plane(), name);
                  turns.acquire();
                  try {
                    here.helm().tuned().install(name, scene.chart(), false);
                  } finally {
                    turns.release();
                  }
                  here.ledger().close(name);
                }));
  }

  private Cost byBareClient(List<String> names) throws Exception {
    return measured(
        () ->
            Together.run(
                Scene.CONCURRENCY, names, name -> rivals.get(placeOf(name)).bare().write(name)));
  }

  private int placeOf(String name) {
    return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) % planes.size();
  }

  private static List<String> names(String prefix, int count) {
    var names = new ArrayList<String>();
    for (var i = 0; i < count; i++) {
      names.add(prefix + "-" + i);
    }
    return names;
  }

  private interface Turn {
    void take() throws Exception;
  }

  private Cost measured(Turn turn) throws Exception {
    return measured(turn, () -> {});
  }

  /** The clock stops at the end of the turn; processor time counts until the rest is done, too. */
  private Cost measured(Turn turn, Turn rest) throws Exception {
    var self = CpuTime.of(ProcessHandle.current().pid());
    var theirs = operator.cpu();
    var servers = serverCpu();
    var begun = System.nanoTime();
    turn.take();
    var seconds = (System.nanoTime() - begun) / 1e9;
    rest.take();
    var operatorUsed = operator.cpu().minus(theirs);
    var used = CpuTime.of(ProcessHandle.current().pid()).minus(self);
    return new Cost(
        seconds,
        operatorUsed.own(),
        operatorUsed.children() + used.children(),
        serverCpu() - servers);
  }

  private double serverCpu() throws Exception {
    var sum = 0.0;
    for (var plane : planes) {
      sum += Scene.serverCpu(plane);
    }
    return sum;
  }
}
