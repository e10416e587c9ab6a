// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import java.util.List;
import java.util.concurrent.Callable;

/** A plugin dies and comes back, and admins see both where they look. */
final class KmsHealthDemo {
  private static final String TIMEOUT = "--timeout=60s";
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

  private final DemoEnvironment environment;
  private final KmsPluginFiles kms;

  KmsHealthDemo(DemoEnvironment demoEnvironment, KmsPluginFiles kms) {
    this.environment = demoEnvironment;
    this.kms = kms;
  }

  void run(KryptonProcess plugin, Callable<KryptonProcess> restart) throws Exception {
    environment.progress.step("Kill the KMS plugin, look at its health, and start it again");
    environment.write("kmshealth.yaml", HEALTH);
    environment.kubectl("home", "create", "namespace", "krypton-system");
    environment.kubectl("home", "apply", "--server-side", "-f", "kmshealth.yaml");
    environment.krypton(
        "reporter",
        "reporter",
        "--kms-sockets=1=unix://" + kms.socket(),
        "--node-name=node-1",
        "--kubeconfig=home.kubeconfig");
    awaitDegraded("False");
    environment.progress.line("$ kill -9 " + plugin.pid());
    plugin.kill();
    awaitDegraded("True");
    restart.call();
    awaitDegraded("False");
  }

  /** First what the nodes say, then the sum of it that admins look at. */
  private void awaitDegraded(String status) throws Exception {
    for (var condition :
        List.of(KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED, KmsHealthConditionTypes.DEGRADED)) {
      environment.kubectl(
          "home",
          "wait",
          "--for=condition=%s=%s".formatted(condition, status),
          "kmshealth/cluster",
          TIMEOUT);
    }
    environment.kubectl("home", "get", "kmshealth");
  }
}
