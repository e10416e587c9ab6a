// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What users do with Tenants, right and wrong; all with one operator that goes on working. */
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
@Order(15)
@Execution(ExecutionMode.CONCURRENT)
class TenantRowsIT {
  private static final String CLUSTER = "rows-edge";
  private static final String PASSWORD = "correct-horse-battery-staple";

  @TempDir static Path directory;

  private Tenants tenants;
  private Operator operator;
  private Bystander bystander;

  @BeforeAll
  void start(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge)
      throws Exception {
    tenants = new Tenants(edge, "rows", CLUSTER);
    Fleet.namespace(home, "rows");
    Fleet.namespace(edge, "rows");
    Fleet.register(home, "rows", CLUSTER, edge.adminKubeconfig());
    operator =
        Operators.start(
            directory,
            home,
            "rows",
            List.of(
                "-chart-repo=" + Operators.chart("app"),
                "-chart-name=app",
                "-chart-version=0.1.0",
                "--watch-namespaces=rows",
                "--leader-elect=false",
                "--helm-uninstall-timeout=30s"));
    bystander = Bystander.watch(operator.handle());
    eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
  }

  @AfterAll
  void stop() throws Exception {
    operator.close();
    bystander.close();
  }

  @Test
  void a_template_that_fails_is_told_in_the_words_of_its_author_and_blocks_nobody() {
    tenants.create("row-broken", "{\"values\":{\"broken\":\"set a region first\"}}");
    tenants.create("row-fine", "{}");
    eventually(
        "told", () -> assertThat(tenants.error("row-broken")).isEqualTo("True/InstallFailed"));
    assertThat(tenants.phase("row-broken")).isEqualTo("Error");
    assertThat(tenants.message("row-broken"))
        .contains("set a region first")
        .hasSizeLessThan(4200)
        .doesNotContain(directory.toString());
    eventually("the other", () -> assertThat(tenants.phase("row-fine")).isEqualTo("Ready"));
    eventually(
        "one event for many tries",
        () -> assertThat(tenants.events("row-broken")).containsEntry("HelmInstallFailed", 1));
    assertThat(tenants.events("row-broken")).doesNotContainKey("HelmInstalled");
    assertThat(tenants.get("row-broken").path("metadata").path("annotations").toString())
        .doesNotContain("fingerprint");

    tenants.delete("row-broken");

    eventually("gone", () -> assertThat(tenants.exists("row-broken")).isFalse());
    assertThat(tenants.object("/api/v1/namespaces/row-broken").isMissingNode()).isTrue();
  }

  @Test
  void a_quota_refuses_the_release_until_it_is_raised_and_the_namespace_stays_whose_it_is() {
    Fleet.workspace(tenants.plane(), "row-quota");
    var quotas = "/api/v1/namespaces/row-quota/resourcequotas";
    tenants
        .plane()
        .admin()
        .post(
            quotas,
            "{\"metadata\":{\"name\":\"few\"},\"spec\":{\"hard\":{\"count/configmaps\":\"0\"}}}")
        .orThrow();
    eventually(
        "the quota is in force",
        () -> assertThat(tenants.object(quotas + "/few").path("status").has("hard")).isTrue());
    tenants.create("row-quota", "{}");
    eventually(
        "refused", () -> assertThat(tenants.error("row-quota")).isEqualTo("True/InstallFailed"));
    assertThat(tenants.message("row-quota")).contains("exceeded quota", "count/configmaps");
    eventually(
        "told", () -> assertThat(tenants.events("row-quota")).containsKey("WorkspaceExists"));

    tenants.plane().admin().delete(quotas + "/few").orThrow();
    eventually(
        "reconciled at once because somebody asked",
        () -> {
          // The quota's cache in the API server may outlive it for a moment.
          tenants.annotate("row-quota", "requestedAt", String.valueOf(System.nanoTime()));
          assertThat(tenants.phase("row-quota")).isEqualTo("Ready");
        });
    assertThat(tenants.error("row-quota")).isEqualTo("False/Resolved");
    eventually(
        "and says so",
        () ->
            assertThat(tenants.get("row-quota").path("status").has("lastHandledReconcileAt"))
                .isTrue());

    tenants.delete("row-quota");

    eventually("gone", () -> assertThat(tenants.exists("row-quota")).isFalse());
    assertThat(tenants.revisions("row-quota")).isEmpty();
    assertThat(
            tenants
                .object("/api/v1/namespaces/row-quota")
                .path("metadata")
                .has("deletionTimestamp"))
        .isFalse();
  }

  @Test
  void a_suspended_tenant_rests_until_it_is_resumed() {
    tenants.create("row-rest", "{\"suspend\":true}");
    eventually(
        "told",
        () ->
            assertThat(tenants.condition("row-rest", "Reconciling")).isEqualTo("False/Suspended"));
    assertThat(tenants.object("/api/v1/namespaces/row-rest").isMissingNode()).isTrue();
    tenants.patch("row-rest", "{\"spec\":{\"suspend\":false}}");
    eventually("ready", () -> assertThat(tenants.phase("row-rest")).isEqualTo("Ready"));
    tenants.patch("row-rest", "{\"spec\":{\"suspend\":true}}");
    eventually(
        "rests",
        () ->
            assertThat(tenants.condition("row-rest", "Reconciling")).isEqualTo("False/Suspended"));
    var configMap = "/api/v1/namespaces/row-rest/configmaps/app";
    tenants.plane().admin().delete(configMap).orThrow();
    tenants.patch("row-rest", "{\"spec\":{\"suspend\":false}}");
    eventually(
        "repaired only now",
        () -> {
          assertThat(tenants.object(configMap).isMissingNode()).isFalse();
          assertThat(tenants.phase("row-rest")).isEqualTo("Ready");
        });
    eventually(
        "told",
        () ->
            assertThat(tenants.events("row-rest"))
                .containsKeys("Suspended", "Resumed", "RepairTriggered"));
  }

  @Test
  void forced_runs_leave_five_revisions_and_a_mere_request_none() {
    tenants.create("row-force", "{}");
    eventually("ready", () -> assertThat(tenants.phase("row-force")).isEqualTo("Ready"));
    for (var run = 1; run <= 6; run++) {
      var value = "run-" + run;
      tenants.annotate("row-force", "forceAt", value);
      eventually(
          value,
          () ->
              assertThat(
                      tenants.get("row-force").path("status").path("lastHandledForceAt").asText())
                  .isEqualTo(value));
    }
    assertThat(tenants.revisions("row-force"))
        .containsExactly("superseded", "superseded", "superseded", "superseded", "deployed");
    tenants.annotate("row-force", "requestedAt", "now");
    eventually(
        "looked at", () -> assertThat(tenants.ready("row-force")).isEqualTo("True/NoChange"));
    assertThat(
            tenants
                .get("row-force")
                .path("status")
                .path("releases")
                .path(0)
                .path("revision")
                .asInt())
        .isEqualTo(7);
    eventually("told", () -> assertThat(tenants.events("row-force")).containsEntry("HelmSkip", 1));
  }

  @Test
  void an_orphaned_release_stays_and_the_next_tenant_of_that_name_has_it() {
    tenants.create("row-orphan", "{}");
    eventually("ready", () -> assertThat(tenants.phase("row-orphan")).isEqualTo("Ready"));
    tenants.annotate("row-orphan", "deletion-policy", "orphan");
    tenants.delete("row-orphan");
    eventually("gone", () -> assertThat(tenants.exists("row-orphan")).isFalse());
    assertThat(tenants.revisions("row-orphan")).containsExactly("deployed");
    assertThat(
            tenants
                .object("/api/v1/namespaces/row-orphan")
                .path("metadata")
                .path("labels")
                .toString())
        .doesNotContain("owner-uid");

    tenants.create("row-orphan", "{}");

    eventually("ready", () -> assertThat(tenants.phase("row-orphan")).isEqualTo("Ready"));
    assertThat(tenants.revisions("row-orphan")).as("taken as it is").containsExactly("deployed");
    tenants.delete("row-orphan");
    eventually("gone", () -> assertThat(tenants.exists("row-orphan")).isFalse());
    assertThat(tenants.revisions("row-orphan")).isEmpty();
    assertThat(tenants.object("/api/v1/namespaces/row-orphan").isMissingNode())
        .as("a namespace that was given away is not ours to delete")
        .isFalse();
  }

  @Test
  void a_tenant_that_is_created_again_at_once_installs_normally() {
    tenants.create("row-again", "{\"values\":{\"message\":\"first\"}}");
    eventually("ready", () -> assertThat(tenants.phase("row-again")).isEqualTo("Ready"));
    var uid = tenants.get("row-again").path("metadata").path("uid").asText();
    tenants.delete("row-again");
    eventually(
        "the name is free",
        () ->
            assertThat(
                    tenants
                        .tryCreate("row-again", "{\"values\":{\"message\":\"second\"}}")
                        .status())
                .isEqualTo(201));
    eventually("ready", () -> assertThat(tenants.phase("row-again")).isEqualTo("Ready"));
    assertThat(tenants.get("row-again").path("metadata").path("uid").asText()).isNotEqualTo(uid);
    assertThat(
            tenants
                .object("/api/v1/namespaces/row-again/configmaps/app")
                .at("/data/message")
                .asText())
        .isEqualTo("second");
    assertThat(tenants.revisions("row-again")).containsExactly("deployed");
  }

  @Test
  void names_are_taken_as_long_as_they_may_be_and_system_names_are_refused() {
    var longest = "row-" + "n".repeat(59);
    tenants.create(longest, "{}");
    tenants.create("row-own", "{\"workspace\":\"rows\"}");
    assertThat(tenants.tryCreate("kube-system", "{}").status()).isEqualTo(422);
    assertThat(tenants.tryCreate("row-system", "{\"workspace\":\"kube-system\"}").status())
        .isEqualTo(422);
    eventually("ready", () -> assertThat(tenants.phase(longest)).isEqualTo("Ready"));
    var release = tenants.get(longest).at("/status/releases/0/name").asText();
    assertThat(release).hasSize(53).startsWith("tenant-" + longest.substring(0, 33));
    assertThat(Fleet.revisions(tenants.plane(), longest, release)).containsExactly("deployed");
    eventually(
        "the operator's own namespace",
        () -> assertThat(tenants.error("row-own")).isEqualTo("True/ReservedNamespace"));
    tenants.delete("row-own");
    eventually("gone", () -> assertThat(tenants.exists("row-own")).isFalse());
    assertThat(
            tenants
                .object("/api/v1/namespaces/rows")
                .at("/metadata/deletionTimestamp")
                .isMissingNode())
        .isTrue();
  }

  @Test
  void of_two_rivals_the_younger_takes_over_when_the_older_goes() {
    tenants.create("row-elder", "{\"workspace\":\"row-shared\"}");
    eventually("ready", () -> assertThat(tenants.phase("row-elder")).isEqualTo("Ready"));
    tenants.create("row-heir", "{\"workspace\":\"row-shared\"}");
    eventually(
        "refused", () -> assertThat(tenants.error("row-heir")).isEqualTo("True/NamespaceConflict"));
    assertThat(tenants.message("row-heir")).contains("Tenant/rows/row-elder");
    assertThat(tenants.phase("row-elder")).isEqualTo("Ready");

    tenants.delete("row-elder");

    eventually("the heir", () -> assertThat(tenants.phase("row-heir")).isEqualTo("Ready"));
    assertThat(tenants.error("row-heir")).isEqualTo("False/Resolved");
    assertThat(Fleet.revisions(tenants.plane(), "row-shared", tenants.release("row-elder")))
        .isEmpty();
  }

  @Test
  void a_tenant_for_another_cluster_is_skipped_and_goes_on_when_it_is_meant_again() {
    tenants.create("row-moved", "{}");
    eventually("ready", () -> assertThat(tenants.phase("row-moved")).isEqualTo("Ready"));
    tenants.patch("row-moved", "{\"spec\":{\"clusterRef\":{\"secretName\":\"elsewhere\"}}}");
    eventually(
        "skipped",
        () ->
            assertThat(tenants.condition("row-moved", "Ready"))
                .isEqualTo("False/ClusterRefMismatch"));
    assertThat(tenants.phase("row-moved")).isEqualTo("Pending");
    assertThat(tenants.revisions("row-moved")).containsExactly("deployed");
    tenants.patch("row-moved", "{\"spec\":{\"clusterRef\":null}}");
    eventually("back", () -> assertThat(tenants.phase("row-moved")).isEqualTo("Ready"));
    assertThat(tenants.revisions("row-moved")).as("as it was").containsExactly("deployed");
    tenants.delete("row-moved");
    eventually("gone", () -> assertThat(tenants.exists("row-moved")).isFalse());
  }

  @Test
  void values_from_a_secret_reach_the_release_and_nobody_else() throws Exception {
    tenants.create(
        "row-secret", "{\"valuesFrom\":[{\"kind\":\"Secret\",\"name\":\"row-values\"}]}");
    eventually(
        "missed", () -> assertThat(tenants.error("row-secret")).isEqualTo("True/ValuesNotFound"));
    assertThat(tenants.message("row-secret")).contains("Secret rows/row-values key values.yaml");
    secret("password: " + PASSWORD);
    eventually("ready", () -> assertThat(tenants.phase("row-secret")).isEqualTo("Ready"));
    assertThat(
            tenants
                .object("/api/v1/namespaces/row-secret/secrets/app")
                .at("/data/password")
                .asText())
        .isEqualTo(base64(PASSWORD));

    // A failure whose text would hold the secret.
    tenants.annotate("row-secret", "forceAt", "1");
    tenants.plane().admin().delete("/api/v1/namespaces/rows/secrets/row-values").orThrow();
    eventually(
        "missed", () -> assertThat(tenants.error("row-secret")).isEqualTo("True/ValuesNotFound"));
    secret("broken: " + PASSWORD);
    eventually(
        "fails", () -> assertThat(tenants.error("row-secret")).isEqualTo("True/UpgradeFailed"));
    eventually(
        "told", () -> assertThat(tenants.events("row-secret")).containsKey("HelmUpgradeFailed"));
    assertThat(tenants.get("row-secret").toString()).doesNotContain(PASSWORD);
    assertThat(tenants.eventList("row-secret").toString()).doesNotContain(PASSWORD);
    assertThat(operator.log()).doesNotContain(PASSWORD);
    assertThat(bystander.seen())
        .as("arguments and environments of Helm")
        .contains("krypton-helm")
        .doesNotContain(PASSWORD, base64(PASSWORD), "client-key-data", "BEGIN");
  }

  private void secret(String values) {
    tenants
        .plane()
        .admin()
        .post(
            "/api/v1/namespaces/rows/secrets",
            "{\"metadata\":{\"name\":\"row-values\"},\"data\":{\"values.yaml\":\"%s\"}}"
                .formatted(base64(values)))
        .orThrow();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
