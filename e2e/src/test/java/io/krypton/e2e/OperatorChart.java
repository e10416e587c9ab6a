// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The operator's chart, installed on a control plane; nobody runs its pods. */
record OperatorChart(ControlPlane plane, String namespace) {
  static final String PATH = Shell.ROOT.resolve("charts/krypton-operator").toString();
  private static final String RELEASE = "krypton";

  static OperatorChart install(
      Path directory, ControlPlane plane, String namespace, String... values)
      throws IOException, InterruptedException {
    var kubeconfig = Files.writeString(directory.resolve("admin"), plane.adminKubeconfig());
    var command =
        new ArrayList<>(
            List.of(
                Assets.fromEnvironment().find(Binary.HELM).toString(),
                "install",
                RELEASE,
                PATH,
                "--kubeconfig=" + kubeconfig,
                "--namespace=" + namespace,
                "--create-namespace"));
    for (var value : values) {
      command.add("--set=" + value);
    }
    var install = new Shell(directory).run(Duration.ofSeconds(60), command.toArray(String[]::new));
    assertThat(install.exit()).as(install.err()).isZero();
    return new OperatorChart(plane, namespace);
  }

  String account() {
    return RELEASE + "-krypton-operator";
  }

  String reporterAccount() {
    return account() + "-kms-reporter";
  }

  /** Of the operator's container, without those that only suit a pod. */
  List<String> arguments() {
    return plane
        .admin()
        .get("/apis/apps/v1/namespaces/%s/deployments/%s".formatted(namespace, account()))
        .orThrow()
        .at("/spec/template/spec/containers/0/args")
        .valueStream()
        .map(argument -> argument.asText())
        .filter(argument -> !argument.startsWith("--metrics-auth="))
        .toList();
  }

  String operatorToken() {
    return token(account(), "{}");
  }

  /** A token of the reporters' account that is bound to nothing. */
  String looseReporterToken() {
    return token(reporterAccount(), "{}");
  }

  /** As a kubelet would ask for it: a token of a pod that runs on the node. */
  String reporterToken(String node) {
    var pod = "reporter-%x".formatted(node.hashCode());
    var pods = "/api/v1/namespaces/%s/pods".formatted(namespace);
    plane
        .admin()
        .post(
            "/api/v1/nodes",
            "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(node))
        .orThrow();
    var uid =
        plane
            .admin()
            .post(
                pods,
                """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
                 "spec":{"serviceAccountName":"%s","nodeName":"%s",
                         "containers":[{"name":"reporter","image":"example.invalid/x"}]}}
                """
                    .formatted(pod, reporterAccount(), node))
            .orThrow()
            .at("/metadata/uid")
            .asText();
    return token(
        reporterAccount(),
        """
        {"boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"%s","uid":"%s"}}
        """
            .formatted(pod, uid));
  }

  private String token(String account, String spec) {
    return plane
        .admin()
        .post(
            "/api/v1/namespaces/%s/serviceaccounts/%s/token".formatted(namespace, account),
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":%s}"
                .formatted(spec))
        .orThrow()
        .at("/status/token")
        .asText();
  }
}
