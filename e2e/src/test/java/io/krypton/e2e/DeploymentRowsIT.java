// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Deployments.hasNamespace;
import static io.krypton.e2e.Deployments.region;
import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.e2e.Deployments.Address;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What can be wrong with a KryptonDeployment: each is told clearly, and cured without a restart.
 * The check interval is longer than all of it, so that only news can be what wakes an object.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(7)
@Execution(ExecutionMode.CONCURRENT)
class DeploymentRowsIT {
  private static final String NAMESPACE = "rows";
  private static final String FOREIGN = "rows-foreign";
  private static final String TEAM = "rows-team";
  private static final String RIVALS = "rows-rivals";
  private static final String KEY = "kubeconfig";

  @TempDir static Path directory;

  private static ControlPlane home;
  private static ControlPlane edge;
  private static ControlPlane edge02;
  private static Deployments deployments;
  private static Operator operator;

  @BeforeAll
  static void start(
      @Cluster("watch") ControlPlane watch,
      @Cluster("edge") ControlPlane one,
      @Cluster("edge02") ControlPlane two)
      throws Exception {
    home = watch;
    edge = one;
    edge02 = two;
    deployments = new Deployments(home);
    for (var namespace : new String[] {NAMESPACE, FOREIGN, TEAM, RIVALS}) {
      Fleet.namespace(home, namespace);
    }
    deployments.secret(NAMESPACE, "one-kubeconfig", KEY, edge.adminKubeconfig());
    deployments.secret(NAMESPACE, "two-kubeconfig", KEY, edge02.adminKubeconfig());
    deployments.secret(FOREIGN, "theirs", KEY, edge.adminKubeconfig());
    operator =
        Operators.start(
            directory,
            home,
            NAMESPACE,
            List.of(
                "-chart-repo=" + Operators.chart("echo"),
                "-chart-name=echo",
                "-chart-version=0.1.0",
                "--controllers=*,-tenants",
                "--watch-namespaces=%s,%s".formatted(TEAM, RIVALS),
                "--ensure-watch-crds",
                "--check-interval=10m"));
    eventually(
        "the definition is there",
        () ->
            assertThat(
                    home.admin().get("/apis/mesh.openkcm.io/v1alpha1/kryptondeployments").status())
                .isEqualTo(200));
  }

  @AfterAll
  static void stop() {
    if (operator != null) {
      operator.close();
    }
  }

  @Test
  void a_missing_account_is_told_and_cured() {
    var id = deployments.create(TEAM, "drow-account", "", region("one"));
    says(id, "Error False/AccountMissing", "Spec.account.name must be set");
    assertThat(deployments.condition(id, "Stalled").path("reason").asText())
        .isEqualTo("AccountMissing");
    told(id, "AccountMissing: Spec.account.name must be set");
    assertThat(hasNamespace(edge, id.name())).isFalse();

    deployments.patch(id, "{\"spec\":{\"account\":{\"name\":\"acme\"}}}");

    ready(id);
    told(id, "AccountValidated: Account acme validated");
    gone(id, edge);
  }

  @Test
  void a_secret_that_is_missing_or_lacks_its_key_is_told_and_cured() {
    var id = deployments.create(TEAM, "drow-secret", "acme", region("later"));
    says(id, "Error False/EdgeUnavailable", "Secret rows/later-kubeconfig does not exist");
    told(id, "EdgeUnavailable: Edge cluster later not available");

    // What never got anywhere has nothing to confirm.
    var never = deployments.create(TEAM, "drow-never", "acme", region("never"));
    says(never, "Error False/EdgeUnavailable", "Secret rows/never-kubeconfig does not exist");
    deployments.delete(never);
    eventually("let go", () -> assertThat(deployments.isGone(never)).isTrue());

    deployments.secret(NAMESPACE, "later-kubeconfig", "elsewhere", edge.adminKubeconfig());
    says(id, "Error False/EdgeUnavailable", "the Secret has no key kubeconfig");

    deployments.secret(NAMESPACE, "later-kubeconfig", KEY, edge.adminKubeconfig());
    ready(id);

    // The object may name another key instead.
    deployments.secret(TEAM, "own", "elsewhere", edge.adminKubeconfig());
    var other =
        deployments.create(
            TEAM,
            "drow-key",
            "acme",
            """
            {"name":"own","kubeconfig":{"secret":{"namespace":"%s","name":"own","key":"elsewhere"}}}
            """
                .formatted(TEAM));
    ready(other);
    gone(id, edge);
    gone(other, edge);
  }

  @Test
  void a_secret_of_a_foreign_namespace_is_not_touched_until_it_is_offered() {
    var mark = home.audit().mark();
    var id =
        deployments.create(
            TEAM,
            "drow-foreign",
            "acme",
            """
            {"name":"borrowed","kubeconfig":{"secret":{"namespace":"%s","name":"theirs"}}}
            """
                .formatted(FOREIGN));
    says(id, "Error False/EdgeUnavailable", "Secret rows-foreign/theirs may not be used");
    told(id, "EdgeUnavailable: Edge cluster borrowed not available");
    assertThat(home.audit().since(mark).records())
        .noneMatch(
            record ->
                Writes.isOurs(record.userAgent())
                    && record.resource().equals("secrets")
                    && record.namespace().equals(FOREIGN));
    assertThat(hasNamespace(edge, id.name())).isFalse();

    var theirs = "/api/v1/namespaces/%s/secrets/theirs".formatted(FOREIGN);
    var label = "{\"metadata\":{\"labels\":{\"sigs.k8s.io/multicluster-runtime-kubeconfig\":%s}}}";
    deployments.patch(theirs, label.formatted("\"true\""));
    ready(id);

    deployments.patch(theirs, label.formatted("null"));
    says(id, "Error False/EdgeUnavailable", "may not be used");
    deployments.patch(theirs, label.formatted("\"true\""));
    ready(id);
    gone(id, edge);
  }

  @Test
  void of_two_of_the_same_name_the_older_has_the_namespace() {
    var older = deployments.create(TEAM, "drow-twin", "acme", region("one"));
    ready(older);
    var younger = deployments.create(RIVALS, "drow-twin", "acme", region("one"));
    says(younger, "Error False/NamespaceConflict", "KryptonDeployment/rows-team/drow-twin");
    told(younger, "NamespaceConflict: namespace drow-twin on one");
    assertThat(deployments.summary(older)).isEqualTo("Ready True/Deployed");
    assertThat(Fleet.revisions(edge, "drow-twin", "ced-drow-twin")).containsExactly("deployed");

    // In another region there is room for it, and it comes back when the older one is gone.
    deployments.patch(younger, "{\"spec\":{\"region\":{\"name\":\"two\"}}}");
    ready(younger);
    deployments.patch(younger, "{\"spec\":{\"region\":{\"name\":\"one\"}}}");
    says(younger, "Error False/NamespaceConflict", "KryptonDeployment/rows-team/drow-twin");
    assertThat(hasNamespace(edge02, "drow-twin")).isTrue();
    deployments.delete(older);
    ready(younger);
    eventually("moved", () -> assertThat(hasNamespace(edge02, "drow-twin")).isFalse());
    assertThat(deployments.isGone(older)).isTrue();
    gone(younger, edge);
  }

  @Test
  void a_namespace_that_was_there_before_is_used_once_it_is_allowed() {
    Fleet.namespace(edge, "drow-before");
    var id = deployments.create(TEAM, "drow-before", "acme", region("one"));
    says(id, "Error False/NamespaceConflict", "mesh.openkcm.io/workspace=allowed");
    assertThat(Fleet.revisions(edge, "drow-before", "ced-drow-before")).isEmpty();

    new Tenants(edge, "", "")
        .change(
            "/api/v1/namespaces/drow-before",
            "{\"metadata\":{\"labels\":{\"mesh.openkcm.io/workspace\":\"allowed\"}}}")
        .orThrow();

    ready(id);
    deployments.delete(id);
    eventually("gone", () -> assertThat(deployments.isGone(id)).isTrue());
    assertThat(hasNamespace(edge, "drow-before")).as("it is not ours to delete").isTrue();
  }

  @Test
  void a_changed_region_is_installed_before_the_old_one_is_left() {
    var id = deployments.create(TEAM, "drow-move", "acme", region("one"));
    ready(id);

    deployments.patch(id, "{\"spec\":{\"region\":{\"name\":\"nowhere\"}}}");
    says(id, "Error False/EdgeUnavailable", "Secret rows/nowhere-kubeconfig does not exist");
    assertThat(Fleet.revisions(edge, id.name(), id.release())).containsExactly("deployed");
    assertThat(deployments.status(id).path("target").asText()).isEqualTo("rows/one-kubeconfig");

    var here = edge.audit().mark();
    var there = edge02.audit().mark();
    deployments.patch(id, "{\"spec\":{\"region\":{\"name\":\"two\"}}}");
    eventually(
        "moved",
        () -> {
          assertThat(deployments.message(id)).isEqualTo("Successfully deployed to region two");
          assertThat(deployments.status(id).has("staleTargets")).isFalse();
        });
    assertThat(hasNamespace(edge, id.name())).isFalse();
    assertThat(Fleet.revisions(edge02, id.name(), id.release())).containsExactly("deployed");
    assertThat(deployments.status(id).path("target").asText()).isEqualTo("rows/two-kubeconfig");
    assertThat(deployments.status(id).path("releases")).hasSize(1);
    told(id, "Routing: Routing to region two");
    told(id, "HelmUninstalled: Uninstalled release ced-drow-move");
    var installed = lastOfHelm(edge02.audit().since(there).records(), id);
    var uninstalled = firstOfHelm(edge.audit().since(here).records(), id);
    assertThat(installed).isBefore(uninstalled);
    gone(id, edge02);
  }

  private static Instant lastOfHelm(List<AuditRecord> records, Address id) {
    return ofHelm(records, id).max(Comparator.naturalOrder()).orElseThrow();
  }

  private static Instant firstOfHelm(List<AuditRecord> records, Address id) {
    return ofHelm(records, id).min(Comparator.naturalOrder()).orElseThrow();
  }

  private static Stream<Instant> ofHelm(List<AuditRecord> records, Address id) {
    return records.stream()
        .filter(record -> Writes.isHelms(record.userAgent()))
        .filter(record -> record.namespace().equals(id.name()))
        .map(AuditRecord::at);
  }

  @Test
  void an_orphaned_release_stays_and_the_operators_own_namespace_is_reserved() {
    var id = deployments.create(TEAM, "drow-orphan", "acme", region("one"));
    var reserved = deployments.create(TEAM, NAMESPACE, "acme", region("one"));
    ready(id);
    says(reserved, "Error False/ReservedNamespace", "namespace rows is reserved");
    told(reserved, "ReservedNamespace: namespace rows is reserved");

    deployments.annotate(id, "mesh.openkcm.io/deletion-policy", "orphan");
    deployments.delete(id);
    deployments.delete(reserved);

    eventually(
        "let go",
        () -> {
          assertThat(deployments.isGone(id)).isTrue();
          assertThat(deployments.isGone(reserved)).isTrue();
        });
    told(id, "ReleaseOrphaned: ced-drow-orphan");
    assertThat(Fleet.revisions(edge, id.name(), id.release())).containsExactly("deployed");
    var namespace = edge.admin().get("/api/v1/namespaces/" + id.name()).body();
    assertThat(namespace.path("metadata").path("labels").has("mesh.openkcm.io/owner-uid"))
        .isFalse();
    edge.admin().delete("/api/v1/namespaces/" + id.name()).orThrow();
  }

  private static void ready(Address id) {
    says(id, "Ready True/Deployed", "Successfully deployed to region");
  }

  private static void says(Address id, String summary, String message) {
    eventually(
        id + " says " + summary,
        () -> {
          assertThat(deployments.summary(id)).as(operator.log()).isEqualTo(summary);
          assertThat(deployments.message(id)).contains(message);
        });
  }

  private static void told(Address id, String event) {
    eventually(
        id + " is told " + event,
        () -> assertThat(deployments.events(id)).anyMatch(it -> it.startsWith(event)));
  }

  private static void gone(Address id, ControlPlane from) {
    deployments.delete(id);
    eventually(
        id + " leaves nothing",
        () -> {
          assertThat(deployments.isGone(id)).isTrue();
          assertThat(hasNamespace(from, id.name())).isFalse();
        });
  }
}
