// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.training;

import io.krypton.api.KryptonApi;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.Assets.MissingBinariesException;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Lets an operator do its work on a real control plane and ends it, so that its JVM keeps what it
 * loaded in a cache. Arguments: a directory for its files, the one that holds the chart {@code
 * demo}, and the command that starts the operator.
 */
public final class OperatorTrainingMain {
  private static final String NAMESPACE = "training";
  private static final String TENANTS =
      "/apis/%s/%s/namespaces/default/tenants".formatted(KryptonApi.GROUP, KryptonApi.VERSION);
  private static final int COUNT = 4;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final int BINARIES_MISSING = 3;
  private static final List<Binary> NEEDED =
      List.of(Binary.ETCD, Binary.KUBE_APISERVER, Binary.KUBE_CONTROLLER_MANAGER, Binary.HELM);

  private final ControlPlane plane;

  private OperatorTrainingMain(ControlPlane plane) {
    this.plane = plane;
  }

  public static void main(String... arguments) throws Exception {
    try {
      Assets.fromEnvironment().require(NEEDED);
    } catch (MissingBinariesException e) {
      System.err.println(e.getMessage());
      System.exit(BINARIES_MISSING);
    }
    var directory = Path.of(arguments[0]);
    var command = new ArrayList<>(List.of(arguments).subList(2, arguments.length));
    try (var plane = ControlPlane.builder("training").start()) {
      var kubeconfig =
          Files.writeString(directory.resolve("kubeconfig"), plane.adminKubeconfig()).toString();
      command.addAll(
          List.of(
              "--kubeconfig=" + kubeconfig,
              "--namespace=" + NAMESPACE,
              "--self-cluster=never",
              "--ensure-watch-crds",
              "--chart-repo=" + arguments[1],
              "--chart-name=demo",
              "--chart-version=1.0.0",
              "--check-interval=1s",
              "--helm-binary=" + Assets.fromEnvironment().find(Binary.HELM),
              "--data-dir=" + directory.resolve("data"),
              "--metrics-bind-address=127.0.0.1:0",
              "--metrics-auth=none",
              "--metrics-secure=false",
              "--health-probe-bind-address=127.0.0.1:0"));
      new OperatorTrainingMain(plane).train(command);
    }
  }

  private void train(List<String> command) throws IOException, InterruptedException {
    register();
    var operator = new ProcessBuilder(command).inheritIO().start();
    try {
      await("the Tenant definition", operator, () -> plane.admin().get(TENANTS).ok());
      for (int i = 0; i < COUNT; i++) {
        create("tenant-" + i);
      }
      await("ready Tenants", operator, () -> readyTenants() == COUNT);
      change("tenant-0");
      await("an upgrade", operator, () -> revisions("tenant-0") == 2);
      operator.destroy();
      // The end takes longer than that of other runs: the cache is written.
      if (!operator.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IllegalStateException("the operator did not end within " + LIMIT);
      }
    } finally {
      operator.destroyForcibly();
    }
  }

  private void register() {
    var kubeconfig =
        Base64.getEncoder()
            .encodeToString(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    plane
        .admin()
        .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(NAMESPACE))
        .orThrow();
    plane
        .admin()
        .post(
            "/api/v1/namespaces/%s/secrets".formatted(NAMESPACE),
            """
            {"metadata":{"name":"edge","labels":{"sigs.k8s.io/multicluster-runtime-kubeconfig":"true"}},
             "data":{"kubeconfig":"%s"}}
            """
                .formatted(kubeconfig))
        .orThrow();
  }

  private void create(String tenant) {
    plane
        .admin()
        .post(
            TENANTS,
            """
            {"apiVersion":"%s/%s","kind":"Tenant","metadata":{"name":"%s"},"spec":{}}
            """
                .formatted(KryptonApi.GROUP, KryptonApi.VERSION, tenant))
        .orThrow();
  }

  private void change(String tenant) {
    plane
        .admin()
        .apply(
            TENANTS + "/" + tenant,
            "training",
            """
            {"apiVersion":"%s/%s","kind":"Tenant","metadata":{"name":"%s"},"spec":{"values":{"greeting":"bye"}}}
            """
                .formatted(KryptonApi.GROUP, KryptonApi.VERSION, tenant))
        .orThrow();
  }

  private long readyTenants() {
    return plane
        .admin()
        .get(TENANTS)
        .orThrow()
        .path("items")
        .valueStream()
        .filter(tenant -> tenant.at("/status/phase").asText().equals("Ready"))
        .count();
  }

  private int revisions(String tenant) {
    var secrets = "/api/v1/namespaces/%s/secrets?labelSelector=owner=helm".formatted(tenant);
    return plane.admin().get(secrets).orThrow().path("items").size();
  }

  private interface Check {
    boolean holds();
  }

  private static void await(String what, Process operator, Check check)
      throws InterruptedException {
    var deadline = System.nanoTime() + LIMIT.toNanos();
    while (!check.holds()) {
      if (!operator.isAlive() || System.nanoTime() > deadline) {
        throw new IllegalStateException("the operator did not get to " + what);
      }
      Thread.sleep(100);
    }
  }
}
