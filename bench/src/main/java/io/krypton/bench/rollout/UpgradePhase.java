package io.krypton.bench.rollout;

import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.lab.BenchChart;
import io.krypton.bench.lab.Namespaces;
import io.krypton.bench.lab.Stopwatch;
import io.krypton.bench.lab.Together;
import io.krypton.bench.lab.Waiting;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The operator starts with another version of the chart: every release is upgraded, once. */
final class UpgradePhase {
  private static final String VERSION = "1.1.0";

  private UpgradePhase() {}

  static void run(Scene scene, int tenants, int plain, Findings findings) throws Exception {
    var next = BenchChart.writeNext(scene.directory(), VERSION);
    var helm = scene.helm(scene.edge());
    var names = IntStream.range(0, plain).mapToObj(i -> "plain-" + i).toList();
    Together.run(
        Scene.CONCURRENCY,
        names,
        name -> {
          Namespaces.create(scene.edge(), name);
          helm.install(name, scene.chart(), false);
        });
    // Half of the loop before and half after, so that both sides meet the same noise.
    var loop = loop(helm::upgrade, next, names.subList(0, plain / 2));
    var ours = byOperator(scene, next, tenants);
    loop += loop(helm::upgrade, next, names.subList(plain / 2, plain));
    var id = "life/%d/upgrade-".formatted(tenants);
    var of = " (%d releases)".formatted(tenants);
    findings.add(
        Figure.of(
            id + "per-second",
            "upgrades by the operator, once the cluster is engaged" + of,
            tenants / ours,
            "/s",
            Better.HIGHER));
    findings.add(
        Figure.ratio(
            id + "of-helm",
            "operator's upgrades, by a plain loop of helm upgrade" + of,
            (tenants / ours) / (plain / loop),
            "",
            Better.HIGHER));
  }

  private interface Upgrade {
    void run(String name, Path chart) throws Exception;
  }

  private static double loop(Upgrade upgrade, Path chart, List<String> names) throws Exception {
    var watch = Stopwatch.start();
    Together.run(Scene.CONCURRENCY, names, name -> upgrade.run(name, chart));
    return watch.seconds();
  }

  private static double byOperator(Scene scene, Path chart, int tenants) throws Exception {
    try (var operator = scene.operator(chart, VERSION)) {
      // The start of a program is no part of an upgrade, and would weigh most for few releases.
      operator.awaitEngaged(1);
      var watch = Stopwatch.start();
      Waiting.until(
          "all upgraded", () -> operator.metric("krypton_helm_operations_total") >= tenants);
      operator.awaitReady(tenants);
      return watch.seconds();
    }
  }
}
