// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster that the operator before us looked after, with its CRD, its releases and its
 * annotations, and with credentials that may do no more than they must.
 */
@ExtendWith(ControlPlaneExtension.class)
class TakeoverIT {
  private static final String CLUSTER = "older-edge";
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  @TempDir Path directory;

  @Test
  void releases_of_the_operator_before_us_are_taken_as_they_are(
      @Cluster("home") ControlPlane home, @Cluster("older") ControlPlane older) throws Exception {
    var tenants = new Tenants(older, "older", CLUSTER);
    Fleet.namespace(home, "older");
    Fleet.namespace(older, "older");
    olderCrd(tenants);
    olderRelease(tenants, "old-one");
    Fleet.register(home, "older", CLUSTER, Restricted.kubeconfig(older));

    try (var operator =
        Operators.start(
            directory,
            home,
            "older",
            List.of(
                "-chart-repo=" + Operators.chart("app"),
                "-chart-name=app",
                "-chart-version=0.1.0",
                "--watch-namespaces=older",
                "--leader-elect=false",
                "-check-interval=2s"))) {
      eventually(
          "taken over",
          () -> assertThat(tenants.phase("old-one")).as(operator.log()).isEqualTo("Ready"));
      assertThat(operator.metric("krypton_helm_operations_total")).isZero();
      assertThat(tenants.revisions("old-one")).containsExactly("deployed");

      Writes.awaitQuietRuns(operator, 3);
      assertThat(tenants.events("old-one").getOrDefault("HelmSkip", 0))
          .as("its definition cannot keep what was handled, the operator can")
          .isLessThanOrEqualTo(1);

      aReservedNameOfBeforeIsRefusedAndCanGo(tenants);
      aKindThatMayNotBeWatchedIsReadInstead(tenants);

      tenants.delete("old-one");
      eventually("gone", () -> assertThat(tenants.exists("old-one")).isFalse());
      assertThat(tenants.revisions("old-one")).isEmpty();
      assertThat(tenants.object("/api/v1/namespaces/old-one").at("/metadata").toString())
          .as("a namespace that we did not make is kept")
          .contains("old-one")
          .doesNotContain("deletionTimestamp");
      assertThat(tenants.object(CRDS + "/tenants.mesh.openkcm.io").at("/spec/versions").isEmpty())
          .isFalse();
    }
  }

  /** The older definition does not refuse such names, so there may be some. */
  private static void aReservedNameOfBeforeIsRefusedAndCanGo(Tenants tenants) {
    tenants.create("kube-public", "{}");
    eventually(
        "refused",
        () -> assertThat(tenants.error("kube-public")).isEqualTo("True/ReservedNamespace"));
    tenants.delete("kube-public");
    eventually("gone", () -> assertThat(tenants.exists("kube-public")).isFalse());
    var namespace = tenants.object("/api/v1/namespaces/kube-public");
    assertThat(namespace.at("/metadata/deletionTimestamp").isMissingNode()).isTrue();
    assertThat(namespace.isMissingNode()).isFalse();
  }

  private static void aKindThatMayNotBeWatchedIsReadInstead(Tenants tenants) {
    var configMap = "/api/v1/namespaces/old-one/configmaps/app";
    tenants.plane().admin().delete(configMap).orThrow();
    eventually(
        "found by reading", () -> assertThat(tenants.object(configMap).isMissingNode()).isFalse());
    eventually("told", () -> assertThat(tenants.events("old-one")).containsKey("RepairTriggered"));
    eventually("ready", () -> assertThat(tenants.phase("old-one")).isEqualTo("Ready"));
  }

  private static void olderCrd(Tenants tenants) throws Exception {
    var file = "api/src/test/resources/older/tenants.mesh.openkcm.io.yaml";
    var api = tenants.plane().admin();
    api.apply(
            CRDS + "/tenants.mesh.openkcm.io", "older", Files.readString(Shell.ROOT.resolve(file)))
        .orThrow();
    eventually("served", () -> tenants.all());
  }

  /** As the operator before us left it: no labels of ours, its annotation and its finalizer. */
  private void olderRelease(Tenants tenants, String name) throws Exception {
    Fleet.namespace(tenants.plane(), name);
    var kubeconfig =
        Files.writeString(directory.resolve("older.kubeconfig"), tenants.plane().adminKubeconfig());
    var installed =
        new Shell(directory)
            .run(
                Duration.ofSeconds(60),
                Assets.fromEnvironment().find(Binary.HELM).toString(),
                "install",
                tenants.release(name),
                Operators.chart("app").toString(),
                "--namespace=" + name,
                "--kubeconfig=" + kubeconfig);
    assertThat(installed.exit()).as(installed.err()).isZero();
    tenants.create(name, "{}");
    tenants.patch(
        name,
        """
        {"metadata":{"finalizers":["mesh.openkcm.io/cleanup"],
         "annotations":{"mesh.openkcm.io/fingerprint-%s":"%s"}}}
        """
            .formatted(CLUSTER, sha256(Operators.chart("app") + "|app|0.1.0")));
  }

  private static String sha256(String text) throws Exception {
    return HexFormat.of()
        .formatHex(
            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
  }
}
