// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import io.krypton.bench.harness.Polling;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
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
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var deployments = parameters.number("deployments");
    try (var testbed = Testbed.create(benchEnvironment, UnaryOperator.identity())) {
      var home = testbed.home();
      home.remove("edge");
      home.storeUnlabelled("one-kubeconfig", testbed.edge().adminKubeconfig());
      try (var operator = testbed.operator("--controllers=deployments", "--ensure-watch-crds")) {
        Polling.until("the definition", () -> home.plane().admin().get(DEPLOYMENTS).ok());
        var begun = System.nanoTime();
        for (var i = 0; i < deployments; i++) {
          create(testbed, "deployment-" + i);
        }
        operator.awaitReady(deployments);
        var seconds = (System.nanoTime() - begun) / 1e9;
        var id = "deployments/%d/".formatted(deployments);
        measurementRecorder.add(
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
            measurementRecorder);
      }
    }
  }

  private static void create(Testbed testbed, String name) {
    testbed
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
