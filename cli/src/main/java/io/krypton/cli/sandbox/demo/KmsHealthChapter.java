package io.krypton.cli.sandbox.demo;

import io.krypton.cli.sandbox.stage.KmsFiles;
import java.util.List;
import java.util.concurrent.Callable;

/** A plugin dies and comes back, and admins see both where they look. */
final class KmsHealthChapter {
  private static final String PATIENCE = "--timeout=60s";
  private static final String HEALTH =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: KmsHealth
      metadata: {name: cluster}
      spec:
        expectedNodes: {names: [node-1]}
        writeKeyID: "1"
        degradedInertia: 1s
      """;

  private final Stage stage;
  private final KmsFiles kms;

  KmsHealthChapter(Stage stage, KmsFiles kms) {
    this.stage = stage;
    this.kms = kms;
  }

  void tell(Child plugin, Callable<Child> restart) throws Exception {
    stage.narrator.step("Kill the KMS plugin, look at its health, and start it again");
    stage.write("kmshealth.yaml", HEALTH);
    stage.kubectl("home", "create", "namespace", "krypton-system");
    stage.kubectl("home", "apply", "--server-side", "-f", "kmshealth.yaml");
    stage.krypton(
        "reporter",
        "reporter",
        "--kms-sockets=1=unix://" + kms.socket(),
        "--node-name=node-1",
        "--kubeconfig=home.kubeconfig");
    awaitDegraded("False");
    stage.narrator.line("$ kill -9 " + plugin.pid());
    plugin.kill();
    awaitDegraded("True");
    restart.call();
    awaitDegraded("False");
  }

  /** First what the nodes say, then the sum of it that admins look at. */
  private void awaitDegraded(String status) throws Exception {
    for (var condition : List.of("KMSPluginsDegraded", "Degraded")) {
      stage.kubectl(
          "home",
          "wait",
          "--for=condition=%s=%s".formatted(condition, status),
          "kmshealth/cluster",
          PATIENCE);
    }
    stage.kubectl("home", "get", "kmshealth");
  }
}
