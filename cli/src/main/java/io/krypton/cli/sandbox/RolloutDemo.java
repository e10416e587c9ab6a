// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.cli.sandbox.KryptonProcess.Launcher;

/** A cluster joins, and gets what its Tenants ask for. */
final class RolloutDemo {
  private static final String TIMEOUT = "--timeout=90s";
  private static final String OBJECTS =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: Tenant
      metadata: {name: %s, namespace: default}
      """;
  private static final String DEPLOYMENT =
      """
      apiVersion: mesh.openkcm.io/v1alpha1
      kind: KryptonDeployment
      metadata: {name: payments, namespace: default}
      spec:
        account: {name: acme}
        region:
          name: edge
          kubeconfig: {secret: {name: edge}}
      """;

  private final DemoEnvironment environment;

  RolloutDemo(DemoEnvironment demoEnvironment) {
    this.environment = demoEnvironment;
  }

  void engage() throws Exception {
    environment.progress.step("Register the edge cluster and start the operator");
    environment.kubectl("home", "create", "namespace", "krypton");
    environment.kubectl(
        "home",
        "-n",
        "krypton",
        "create",
        "secret",
        "generic",
        "edge",
        "--from-file=kubeconfig=edge.kubeconfig");
    environment.kubectl(
        "home",
        "-n",
        "krypton",
        "label",
        "secret",
        "edge",
        "sigs.k8s.io/multicluster-runtime-kubeconfig=true");
    environment.krypton(
        "operator",
        "operator",
        "--kubeconfig=home.kubeconfig",
        "--namespace=krypton",
        "--ensure-watch-crds",
        "--chart-repo=" + Launcher.home().resolve("share").resolve("demo-chart"),
        "--chart-name=demo",
        "--chart-version=1.0.0",
        "--kms-recovery-hold=2s");
    for (var cluster : new String[] {"edge", "home"}) {
      environment.kubectl(cluster, "wait", "--for=create", "crd/tenants.mesh.openkcm.io", TIMEOUT);
    }
    environment.kubectl("home", "wait", "--for=create", "crd/kmshealths.mesh.openkcm.io", TIMEOUT);
    environment.kubectl(
        "home", "wait", "--for=create", "crd/kryptondeployments.mesh.openkcm.io", TIMEOUT);
  }

  void rollOut() throws Exception {
    environment.progress.step("Two Tenants on the edge, one KryptonDeployment at home");
    environment.write(
        "tenants.yaml", OBJECTS.formatted("acme") + "---\n" + OBJECTS.formatted("globex"));
    environment.write("deployment.yaml", DEPLOYMENT);
    environment.kubectl("edge", "apply", "-f", "tenants.yaml");
    environment.kubectl("home", "apply", "-f", "deployment.yaml");
    environment.kubectl(
        "edge", "wait", "--for=condition=Ready", "tenant/acme", "tenant/globex", TIMEOUT);
    environment.kubectl(
        "home", "wait", "--for=condition=Ready", "kryptondeployment/payments", TIMEOUT);
    environment.kubectl("edge", "get", "tenants");
    environment.helm("edge", "list", "-A");
  }

  void repair() throws Exception {
    environment.progress.step("Somebody deletes an object of a release: it comes back");
    environment.kubectl("edge", "-n", "acme", "delete", "configmap", "greeting");
    environment.kubectl(
        "edge", "-n", "acme", "wait", "--for=create", "configmap/greeting", TIMEOUT);
    environment.kubectl(
        "edge",
        "get",
        "events",
        "--field-selector=reason=RepairTriggered",
        "-o=custom-columns=OBJECT:.involvedObject.name,REASON:.reason,MESSAGE:.message");
  }

  void cleanUp() throws Exception {
    environment.progress.step("Delete all: releases and their namespaces go, and the processes");
    environment.kubectl("edge", "delete", "tenants", "--all", TIMEOUT);
    environment.kubectl("home", "delete", "kryptondeployments", "--all", TIMEOUT);
    environment.kubectl(
        "edge", "wait", "--for=delete", "namespace/acme", "namespace/globex", TIMEOUT);
    environment.helm("edge", "list", "-A");
  }
}
