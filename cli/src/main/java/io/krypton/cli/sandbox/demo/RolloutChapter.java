package io.krypton.cli.sandbox.demo;

import io.krypton.cli.sandbox.stage.Launcher;

/** A cluster joins, and gets what its Tenants ask for. */
final class RolloutChapter {
  private static final String PATIENCE = "--timeout=90s";
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

  private final Stage stage;

  RolloutChapter(Stage stage) {
    this.stage = stage;
  }

  void engage() throws Exception {
    stage.narrator.step("Register the edge cluster and start the operator");
    stage.kubectl("home", "create", "namespace", "krypton");
    stage.kubectl(
        "home",
        "-n",
        "krypton",
        "create",
        "secret",
        "generic",
        "edge",
        "--from-file=kubeconfig=edge.kubeconfig");
    stage.kubectl(
        "home",
        "-n",
        "krypton",
        "label",
        "secret",
        "edge",
        "sigs.k8s.io/multicluster-runtime-kubeconfig=true");
    stage.krypton(
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
      stage.kubectl(cluster, "wait", "--for=create", "crd/tenants.mesh.openkcm.io", PATIENCE);
    }
    stage.kubectl("home", "wait", "--for=create", "crd/kmshealths.mesh.openkcm.io", PATIENCE);
    stage.kubectl(
        "home", "wait", "--for=create", "crd/kryptondeployments.mesh.openkcm.io", PATIENCE);
  }

  void rollOut() throws Exception {
    stage.narrator.step("Two Tenants on the edge, one KryptonDeployment at home");
    stage.write("tenants.yaml", OBJECTS.formatted("acme") + "---\n" + OBJECTS.formatted("globex"));
    stage.write("deployment.yaml", DEPLOYMENT);
    stage.kubectl("edge", "apply", "-f", "tenants.yaml");
    stage.kubectl("home", "apply", "-f", "deployment.yaml");
    stage.kubectl(
        "edge", "wait", "--for=condition=Ready", "tenant/acme", "tenant/globex", PATIENCE);
    stage.kubectl("home", "wait", "--for=condition=Ready", "kryptondeployment/payments", PATIENCE);
    stage.kubectl("edge", "get", "tenants");
    stage.helm("edge", "list", "-A");
  }

  void repair() throws Exception {
    stage.narrator.step("Somebody deletes an object of a release: it comes back");
    stage.kubectl("edge", "-n", "acme", "delete", "configmap", "greeting");
    stage.kubectl("edge", "-n", "acme", "wait", "--for=create", "configmap/greeting", PATIENCE);
    stage.kubectl(
        "edge",
        "get",
        "events",
        "--field-selector=reason=RepairTriggered",
        "-o=custom-columns=OBJECT:.involvedObject.name,REASON:.reason,MESSAGE:.message");
  }

  void withdraw() throws Exception {
    stage.narrator.step("Delete all: releases and their namespaces go, and the processes");
    stage.kubectl("edge", "delete", "tenants", "--all", PATIENCE);
    stage.kubectl("home", "delete", "kryptondeployments", "--all", PATIENCE);
    stage.kubectl("edge", "wait", "--for=delete", "namespace/acme", "namespace/globex", PATIENCE);
    stage.helm("edge", "list", "-A");
  }
}
