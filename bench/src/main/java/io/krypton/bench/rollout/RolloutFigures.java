// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.MemoryWatch.Resident;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.rollout.HelmComparison.Cost;
import io.krypton.bench.rollout.HelmComparison.Score;
import io.krypton.bench.rollout.HelmComparison.Side;
import java.util.List;

/**
 * What is told of a rollout, with the goals of its size.
 *
 * @param clusters that share the Tenants
 * @param tenants of one turn
 */
record RolloutFigures(int clusters, int tenants) {
  List<Figure> throughput(Score score) {
    return List.of(
        speed("operator", "releases by the operator", score.of(Side.OPERATOR)),
        speed("helm", "releases by a plain helm loop", score.of(Side.HELM)),
        ratio(
            RolloutGoals.OF_HELM,
            "operator's speed, by that of the plain loop",
            score.speed(Side.OPERATOR, Side.HELM),
            Better.HIGHER));
  }

  List<Figure> upgrades(Score score) {
    return List.of(
        speed(
            "upgrade",
            "upgrades by an operator that runs for a minute, one patch of each Tenant",
            score.of(Side.OPERATOR)),
        speed("upgrade-helm", "upgrades by a plain loop of helm upgrade", score.of(Side.HELM)),
        ratio(
            "upgrade-of-helm",
            "operator's upgrades, by that plain loop",
            score.speed(Side.OPERATOR, Side.HELM),
            Better.HIGHER));
  }

  /** Of one turn only, which is too little to compare one run with another. */
  List<Figure> baselines(Score score) {
    return List.of(
        speed("typed", "releases by a helm loop as typed", score.of(Side.TYPED)),
        speed("floor", "releases by a bare client", score.of(Side.FLOOR)),
        quotient(
            "of-typed",
            "operator's speed, by that of the loop as typed",
            score.speed(Side.OPERATOR, Side.TYPED)),
        quotient(
            "of-floor",
            "operator's speed, by that of the bare client",
            score.speed(Side.OPERATOR, Side.FLOOR)));
  }

  List<Figure> costs(Score score) {
    var ours = score.of(Side.OPERATOR);
    var plain = score.of(Side.HELM);
    return List.of(
        ratio(
            "requests",
            "API requests of the operator per release",
            ours.requests() / ours.releases(),
            Better.LOWER),
        processor("cpu-operator", "operator", ours, ours.operatorCpu()),
        processor("cpu-helm", "its Helm worker", ours, ours.helmCpu()),
        processor(
            "cpu-ours", "operator and Helm worker", ours, ours.operatorCpu() + ours.helmCpu()),
        processor("cpu-server", "API server and etcd meanwhile", ours, ours.serverCpu()),
        processor("plain-cpu-helm", "helm processes of the plain loop", plain, plain.helmCpu()),
        processor(
            "plain-cpu-server",
            "API server and etcd during the plain loop",
            plain,
            plain.serverCpu()),
        ratio(
            "cpu-of-helm",
            "all processor time, by that of the plain loop",
            ours.cpu() / plain.cpu(),
            Better.LOWER));
  }

  /** What the kernel remembers of the operator, and what was seen of all processes together. */
  List<Figure> memory(double operatorMib, Resident peak) {
    return List.of(
        figure("resident", "operator's memory, at most", operatorMib, "MiB", Better.LOWER),
        figure(
            "memory-helm", "its Helm worker's, at most", peak.descendants(), "MiB", Better.LOWER),
        figure(
            "memory",
            "operator and all its children together, at most",
            peak.together(),
            "MiB",
            Better.LOWER));
  }

  List<Figure> singles(Distribution times) {
    var what = "one tenant when idle, from creation to deployed: ";
    return List.of(
        figure("single-median", what + "median", times.median(), "ms", Better.LOWER),
        figure(
            "single-p99",
            what + "p99 of " + times.values().size(),
            times.quantile(0.99),
            "ms",
            Better.LOWER));
  }

  List<Figure> afterKill(Distribution times) {
    var what = "Helm worker killed when idle, until the next new tenant is ready: ";
    return List.of(
        figure("worker-killed-median", what + "median", times.median(), "ms", Better.LOWER),
        figure(
            "worker-killed-worst",
            what + "worst of " + times.values().size(),
            times.worst(),
            "ms",
            Better.LOWER));
  }

  private Figure speed(String name, String what, Cost cost) {
    return figure(name + "-per-second", what, cost.perSecond(), "/s", Better.HIGHER);
  }

  private Figure processor(String name, String whose, Cost cost, double seconds) {
    var millis = seconds * 1000 / cost.releases();
    return figure(name, "processor time: " + whose, millis, "ms/release", Better.LOWER);
  }

  private Figure quotient(String name, String what, double value) {
    return figure(name, what, value, "", Better.HIGHER);
  }

  private Figure figure(String name, String what, double value, String unit, Better better) {
    return withGoal(name, Figure.of(id(name), what + of(), value, unit, better));
  }

  private Figure ratio(String name, String what, double value, Better better) {
    return withGoal(name, Figure.ratio(id(name), what + of(), value, "", better));
  }

  private String id(String name) {
    return "rollout/%dx%d/%s".formatted(clusters, tenants, name);
  }

  private String of() {
    return " (%d tenants, %d cluster%s)".formatted(tenants, clusters, clusters == 1 ? "" : "s");
  }

  private Figure withGoal(String name, Figure figure) {
    return RolloutGoals.of(name, clusters, tenants).map(figure::withGoal).orElse(figure);
  }
}
