// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two Secrets that lead to one API server: what one name has rolled out is safe from the other. */
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
@Order(17)
class TwoNamesIT {
  private static final String NAMESPACE = "names";
  private static final String A = "names-a";
  private static final String B = "names-b";

  @TempDir static Path directory;

  private ControlPlane home;
  private ControlPlane edge;
  private Tenants tenants;
  private Operator operator;

  @BeforeAll
  void start(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge)
      throws Exception {
    this.home = home;
    this.edge = edge;
    tenants = new Tenants(edge, NAMESPACE, A);
    Fleet.namespace(home, NAMESPACE);
    Fleet.namespace(edge, NAMESPACE);
    Fleet.register(home, NAMESPACE, A, edge.adminKubeconfig());
    Fleet.register(home, NAMESPACE, B, edge.adminKubeconfig());
    operator =
        Operators.start(
            directory,
            home,
            NAMESPACE,
            List.of(
                "-chart-repo=" + Operators.chart("echo"),
                "-chart-name=echo",
                "-chart-version=0.1.0",
                "--controllers=tenants",
                "--watch-namespaces=" + NAMESPACE,
                "--leader-elect=false",
                "--check-interval=1s"));
    eventually(
        "engaged",
        () -> {
          assertThat(operator.hasEngaged(A)).isTrue();
          assertThat(operator.hasEngaged(B)).isTrue();
        });
  }

  @AfterAll
  void stop() throws Exception {
    operator.close();
  }

  @Test
  void nothing_is_removed_while_the_named_cluster_is_away() throws Exception {
    eventually("engaged", () -> assertThat(isEngaged(B)).isTrue());
    tenants.create("names-away", clusterRef(B));
    eventually("ready", () -> assertThat(tenants.phase("names-away")).isEqualTo("Ready"));
    Fleet.label(home, NAMESPACE, B, null);
    try {
      eventually("away", () -> assertThat(isEngaged(B)).isFalse());
      lookAt("names-away");

      assertThat(revisions("names-away", B)).containsExactly("deployed");
      assertThat(isThere("names-away")).isTrue();
      assertThat(tenants.phase("names-away")).as("what the other name has said").isEqualTo("Ready");
    } finally {
      Fleet.label(home, NAMESPACE, B, "true");
    }
    eventually("back", () -> assertThat(isEngaged(B)).isTrue());
    tenants.delete("names-away");
    eventually("gone", () -> assertThat(tenants.exists("names-away")).isFalse());
    eventually("its namespace too", () -> assertThat(isThere("names-away")).isFalse());
  }

  @Test
  void a_typo_costs_nothing_and_tells_how_to_clean_up() throws Exception {
    tenants.create("names-typo", clusterRef(A));
    eventually("ready", () -> assertThat(tenants.phase("names-typo")).isEqualTo("Ready"));
    tenants.patch("names-typo", "{\"spec\":%s}".formatted(clusterRef("names-aa")));
    eventually(
        "skipped",
        () ->
            assertThat(tenants.condition("names-typo", "Ready"))
                .isEqualTo("False/ClusterRefMismatch"));
    lookAt("names-typo");

    assertThat(revisions("names-typo", A)).containsExactly("deployed");
    assertThat(isThere("names-typo")).isTrue();
    assertThat(tenants.phase("names-typo")).isEqualTo("Pending");
    assertThat(tenants.message("names-typo"))
        .startsWith("Skipped: ")
        .contains(
            "names-aa",
            "delete this Tenant",
            "helm uninstall tenant-names-typo-names-a --namespace names-typo");
    eventually(
        "told", () -> assertThat(tenants.events("names-typo")).containsKey("ClusterRefSkipped"));
    assertThat(tenants.events("names-typo").get("ClusterRefSkipped"))
        .as("once by each name at the most")
        .isLessThanOrEqualTo(2);
    assertThat(tenants.events("names-typo")).doesNotContainKey("HelmUninstalled");

    tenants.delete("names-typo");

    eventually("gone, as promised", () -> assertThat(tenants.exists("names-typo")).isFalse());
    eventually("with its namespace", () -> assertThat(isThere("names-typo")).isFalse());
  }

  @Test
  void what_the_first_name_left_goes_when_the_release_of_the_second_is_ready() throws Exception {
    tenants.create("names-moved", clusterRef(A));
    eventually("ready", () -> assertThat(tenants.phase("names-moved")).isEqualTo("Ready"));
    tenants.patch("names-moved", "{\"spec\":%s}".formatted(clusterRef(B)));
    eventually(
        "moved",
        () -> {
          assertThat(revisions("names-moved", B)).containsExactly("deployed");
          assertThat(revisions("names-moved", A)).isEmpty();
        });
    eventually(
        "told",
        () -> {
          assertThat(tenants.condition("names-moved", "ClusterReady/" + B)).startsWith("True/");
          assertThat(tenants.ready("names-moved")).isEmpty();
          assertThat(tenants.condition("names-moved", "Ready")).isEqualTo("True/Deployed");
          assertThat(tenants.phase("names-moved")).isEqualTo("Ready");
        });
    assertThat(isThere("names-moved")).isTrue();
    assertThat(tenants.get("names-moved").at("/metadata/finalizers").toString())
        .contains("mesh.openkcm.io/cleanup");
    tenants.delete("names-moved");
    eventually("gone", () -> assertThat(tenants.exists("names-moved")).isFalse());
  }

  @Test
  void an_error_under_one_name_is_one_of_the_tenant_and_the_phase_does_not_flip() throws Exception {
    Fleet.workspace(edge, "names-both");
    edge.admin()
        .post(
            "/api/v1/namespaces/names-both/configmaps",
            "{\"metadata\":{\"name\":\"tenant-names-both-names-b\"}}")
        .orThrow();
    tenants.create("names-both", "{}");
    eventually(
        "one is well and one is not",
        () -> {
          assertThat(tenants.ready("names-both")).startsWith("True/");
          assertThat(tenants.condition("names-both", "ClusterError/" + B))
              .isEqualTo("True/InstallFailed");
          assertThat(tenants.phase("names-both")).isEqualTo("Error");
        });

    eventually(
        "told no more, once the last events are written",
        () -> {
          var told = phasesTold("names-both");
          for (var look = 0; look < 3; look++) {
            lookAt("names-both");
            assertThat(tenants.phase("names-both")).isEqualTo("Error");
            assertThat(tenants.condition("names-both", "Ready")).isEqualTo("False/InstallFailed");
          }
          assertThat(phasesTold("names-both")).isEqualTo(told);
        });
    assertThat(tenants.message("names-both")).startsWith("on cluster names-b: ");
    tenants.delete("names-both");
    eventually("gone", () -> assertThat(tenants.exists("names-both")).isFalse());
  }

  @Test
  void a_namespace_that_holds_a_release_of_somebody_else_stays() throws Exception {
    tenants.create("names-guest", clusterRef(A));
    eventually("ready", () -> assertThat(tenants.phase("names-guest")).isEqualTo("Ready"));
    edge.admin()
        .post(
            "/api/v1/namespaces/names-guest/secrets",
            """
            {"metadata":{"name":"sh.helm.release.v1.guest.v1",
              "labels":{"owner":"helm","name":"guest","status":"deployed","version":"1"}},
             "type":"helm.sh/release.v1","data":{"release":"aGk="}}
            """)
        .orThrow();

    tenants.delete("names-guest");

    eventually("gone", () -> assertThat(tenants.exists("names-guest")).isFalse());
    assertThat(revisions("names-guest", A)).isEmpty();
    assertThat(Fleet.revisions(edge, "names-guest", "guest")).containsExactly("deployed");
    assertThat(isThere("names-guest")).isTrue();
    eventually(
        "told", () -> assertThat(tenants.events("names-guest")).containsKey("WorkspaceKept"));
  }

  /** Makes the first name look at the Tenant, and waits until it must have done so. */
  private void lookAt(String tenant) throws Exception {
    var before = runsOfTheFirst();
    eventually(
        "looked at",
        () -> {
          tenants.annotate(tenant, "requestedAt", String.valueOf(System.nanoTime()));
          assertThat(runsOfTheFirst()).isGreaterThanOrEqualTo(before + 4);
        });
  }

  private double runsOfTheFirst() throws Exception {
    return operator
        .metrics("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("krypton_reconcile_total{") && line.contains('"' + A + '"'))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private boolean isEngaged(String cluster) throws Exception {
    return operator.hasEngaged(cluster);
  }

  private List<String> revisions(String tenant, String cluster) {
    return Fleet.revisions(edge, tenant, "tenant-%s-%s".formatted(tenant, cluster));
  }

  private boolean isThere(String namespace) {
    JsonNode found = tenants.object("/api/v1/namespaces/" + namespace);
    return !found.isMissingNode() && found.at("/metadata/deletionTimestamp").isMissingNode();
  }

  private int phasesTold(String tenant) {
    return tenants.events(tenant).getOrDefault("PhaseSet", 0);
  }

  private static String clusterRef(String cluster) {
    return "{\"clusterRef\":{\"secretName\":\"%s\"}}".formatted(cluster);
  }
}
