package io.krypton.bench.rollout;

import io.krypton.bench.figure.Figure;
import io.krypton.bench.figure.Figure.Better;
import io.krypton.bench.figure.Findings;
import io.krypton.bench.lab.Waiting;
import io.krypton.bench.measure.Bench;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Parameters;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** KryptonDeployments: the same engine, told what to do from home. */
public final class DeploymentsMeasurement implements Measurement {
  private static final String DEPLOYMENTS =
      "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/kryptondeployments";

  @Override
  public String name() {
    return "deployments";
  }

  @Override
  public Parameters full() {
    return Parameters.of("deployments=50", "quiet-seconds=60");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofMillis(
        30_000
            + 1000L * parameters.number("quiet-seconds")
            + 200L * parameters.number("deployments"));
  }

  @Override
  public void run(Bench bench, Parameters parameters, Findings findings) throws Exception {
    var deployments = parameters.number("deployments");
    try (var scene = Scene.set(bench, UnaryOperator.identity())) {
      var home = scene.home();
      home.remove("edge");
      home.keep("one-kubeconfig", scene.edge().adminKubeconfig());
      try (var operator = scene.operator("--controllers=deployments", "--ensure-watch-crds")) {
        Waiting.until("the definition", () -> home.plane().admin().get(DEPLOYMENTS).ok());
        var begun = System.nanoTime();
        for (var i = 0; i < deployments; i++) {
          create(scene, "deployment-" + i);
        }
        operator.awaitReady(deployments);
        var seconds = (System.nanoTime() - begun) / 1e9;
        var id = "deployments/%d/".formatted(deployments);
        findings.add(
            Figure.of(
                id + "per-second",
                "KryptonDeployments to one cluster, the first one cold",
                deployments / seconds,
                "/s",
                Better.HIGHER));
        operator.awaitQuiet();
        SteadyPhase.run(
            operator,
            deployments + " KryptonDeployments",
            id + "steady-",
            Duration.ofSeconds(parameters.number("quiet-seconds")),
            findings);
      }
    }
  }

  private static void create(Scene scene, String name) {
    scene
        .home()
        .plane()
        .admin()
        .post(
            DEPLOYMENTS,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KryptonDeployment","metadata":{"name":"%s"},
             "spec":{"account":{"name":"bench"},"region":{"name":"one"}}}
            """
                .formatted(name))
        .orThrow();
  }
}
