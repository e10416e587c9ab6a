// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Nobody gets the operator to work where he has no rights himself. */
@ExtendWith(ControlPlaneExtension.class)
class AdoptionIT {
  private static final String NAMESPACE = "adopt";
  private static final String CLUSTER = "adopt-edge";

  @TempDir static Path directory;

  @Test
  void namespaces_and_releases_of_others_are_used_only_with_their_consent(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    var tenants = new Tenants(edge, "adopt-team", CLUSTER);
    Fleet.namespace(home, NAMESPACE);
    Fleet.namespace(edge, "adopt-team");
    Fleet.namespace(edge, "adopt-taken");
    Fleet.namespace(edge, "adopt-any");
    Fleet.register(home, NAMESPACE, CLUSTER, edge.adminKubeconfig());
    try (var operator = start(home)) {
      eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
      tenants.create("adopt-own", "{\"workspace\":\"adopt-team\"}");
      eventually("it lives there", () -> assertThat(tenants.phase("adopt-own")).isEqualTo("Ready"));

      aNamespaceOfOthersIsUsedOnceItIsAllowed(tenants, edge);
      aReleaseOfAnotherObjectIsLeftAlone(tenants, edge);

      tenants.create("adopt-any", "{}");
      eventually(
          "refused",
          () -> assertThat(tenants.error("adopt-any")).isEqualTo("True/NamespaceConflict"));
    }
    try (var operator = start(home, "--adopt-namespaces=any")) {
      eventually(
          "used as the original would",
          () -> assertThat(tenants.phase("adopt-any")).as(operator.log()).isEqualTo("Ready"));
      for (var name : List.of("adopt-any", "adopt-own", "adopt-taken")) {
        tenants.delete(name);
        eventually("gone", () -> assertThat(tenants.exists(name)).isFalse());
      }
    }
  }

  private static void aNamespaceOfOthersIsUsedOnceItIsAllowed(Tenants tenants, ControlPlane edge) {
    tenants.create("adopt-taken", "{}");
    eventually(
        "refused",
        () -> assertThat(tenants.error("adopt-taken")).isEqualTo("True/NamespaceConflict"));
    assertThat(tenants.message("adopt-taken"))
        .contains("namespace adopt-taken", "mesh.openkcm.io/workspace=allowed");
    assertThat(Fleet.revisions(edge, "adopt-taken", tenants.release("adopt-taken"))).isEmpty();

    allow(tenants, "adopt-taken");

    eventually("used", () -> assertThat(tenants.phase("adopt-taken")).isEqualTo("Ready"));
    eventually(
        "told",
        () ->
            assertThat(tenants.events("adopt-taken"))
                .containsKeys("NamespaceConflict", "WorkspaceExists"));
  }

  /** The name of a release does not make it ours while its owner lives. */
  private static void aReleaseOfAnotherObjectIsLeftAlone(Tenants tenants, ControlPlane edge) {
    Fleet.workspace(edge, "adopt-theirs");
    var uid = tenants.get("adopt-own").at("/metadata/uid").asText();
    var secret =
        "/api/v1/namespaces/adopt-theirs/secrets/sh.helm.release.v1.tenant-adopt-theirs-adopt-edge.v1";
    edge.admin()
        .post(
            "/api/v1/namespaces/adopt-theirs/secrets",
            """
            {"metadata":{"name":"sh.helm.release.v1.tenant-adopt-theirs-adopt-edge.v1",
              "labels":{"owner":"helm","name":"tenant-adopt-theirs-adopt-edge","status":"failed",
                "version":"1","mesh.openkcm.io/owner-uid":"%s"}},
             "type":"helm.sh/release.v1","data":{"release":"aGk="}}
            """
                .formatted(uid))
        .orThrow();
    var before = tenants.object(secret).at("/metadata/resourceVersion").asText();
    tenants.create("adopt-theirs", "{}");
    eventually(
        "refused",
        () -> assertThat(tenants.error("adopt-theirs")).isEqualTo("True/NamespaceConflict"));
    assertThat(tenants.message("adopt-theirs"))
        .contains("tenant-adopt-theirs-adopt-edge", "belongs to another object", uid);

    tenants.delete("adopt-theirs");

    eventually("gone", () -> assertThat(tenants.exists("adopt-theirs")).isFalse());
    assertThat(tenants.object(secret).at("/metadata/resourceVersion").asText())
        .as("neither upgraded nor uninstalled")
        .isEqualTo(before);
  }

  private static void allow(Tenants tenants, String namespace) {
    tenants
        .change(
            "/api/v1/namespaces/" + namespace,
            "{\"metadata\":{\"labels\":{\"mesh.openkcm.io/workspace\":\"allowed\"}}}")
        .orThrow();
  }

  private static Operator start(ControlPlane home, String... more) throws Exception {
    var flags =
        new ArrayList<>(
            List.of(
                "-chart-repo=" + Operators.chart("echo"),
                "-chart-name=echo",
                "-chart-version=0.1.0",
                "--controllers=tenants",
                "--watch-namespaces=adopt-team",
                "--leader-elect=false"));
    flags.addAll(List.of(more));
    return Operators.start(directory, home, NAMESPACE, flags);
  }
}
