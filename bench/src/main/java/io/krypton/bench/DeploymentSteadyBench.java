package io.krypton.bench;

import io.krypton.sandbox.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;

/** What KryptonDeployments cost while nothing happens: requests, processor time, Helm. */
final class DeploymentSteadyBench {
  private static final String DEPLOYMENTS =
      "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/kryptondeployments";
  private static final Duration SETTLING = Duration.ofSeconds(10);

  private final Path distribution;
  private final int deployments;
  private final Duration quiet;

  DeploymentSteadyBench(Path distribution, int deployments, Duration quiet) {
    this.distribution = distribution;
    this.deployments = deployments;
    this.quiet = quiet;
  }

  String run() throws Exception {
    var directory = Files.createTempDirectory("krypton-bench");
    var planes = ControlPlane.startAll(ControlPlane.builder("home"), ControlPlane.builder("edge"));
    try (var home = planes.getFirst();
        var edge = planes.getLast()) {
      home.admin().post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"bench\"}}").orThrow();
      secret(home, "one-kubeconfig", edge);
      var chart = BenchChart.write(directory);
      try (var operator =
          BenchOperator.start(
              distribution,
              directory,
              home,
              "--controllers=deployments",
              "--ensure-watch-crds",
              "--chart-repo=" + chart,
              "--chart-name=" + BenchChart.NAME,
              "--chart-version=" + BenchChart.VERSION)) {
        BenchOperator.await("the definition", () -> home.admin().get(DEPLOYMENTS).ok());
        for (var i = 0; i < deployments; i++) {
          create(home, "deployment-" + i);
        }
        operator.awaitReady(deployments);
        return silence(operator, edge);
      }
    }
  }

  private String silence(BenchOperator operator, ControlPlane edge) throws Exception {
    // The last status writes still come back as watch events.
    Thread.sleep(SETTLING);
    var requests = operator.metric("krypton_api_requests_total");
    var looks = operator.metric("krypton_reconcile_total");
    var helm = operator.metric("krypton_helm_operations_total");
    var revisions = revisions(edge);
    var cpu = operator.cpu();
    Thread.sleep(quiet);
    var asked = operator.metric("krypton_api_requests_total") - requests;
    return String.format(
        Locale.ROOT,
        "%d steady deployments over %d s: %.0f API requests (%.2f/s), %.2f CPU seconds,"
            + " %.0f looks, %.0f helm processes, %d new revisions",
        deployments,
        quiet.toSeconds(),
        asked,
        asked / quiet.toSeconds(),
        operator.cpu().minus(cpu).toMillis() / 1000.0,
        operator.metric("krypton_reconcile_total") - looks,
        operator.metric("krypton_helm_operations_total") - helm,
        revisions(edge) - revisions);
  }

  private static int revisions(ControlPlane edge) {
    return edge.admin()
        .get("/api/v1/secrets?labelSelector=owner=helm")
        .orThrow()
        .path("items")
        .size();
  }

  private static void create(ControlPlane home, String name) {
    home.admin()
        .post(
            DEPLOYMENTS,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KryptonDeployment","metadata":{"name":"%s"},
             "spec":{"account":{"name":"bench"},"region":{"name":"one"}}}
            """
                .formatted(name))
        .orThrow();
  }

  private static void secret(ControlPlane home, String name, ControlPlane edge) {
    var kubeconfig = edge.adminKubeconfig().getBytes(StandardCharsets.UTF_8);
    home.admin()
        .post(
            "/api/v1/namespaces/bench/secrets",
            """
            {"metadata":{"name":"%s"},"data":{"kubeconfig":"%s"}}
            """
                .formatted(name, Base64.getEncoder().encodeToString(kubeconfig)))
        .orThrow();
  }
}
