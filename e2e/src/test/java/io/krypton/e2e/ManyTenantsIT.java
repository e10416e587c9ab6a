// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Many Tenants on two clusters, one of which gets into trouble. */
@ExtendWith(ControlPlaneExtension.class)
@Order(9)
class ManyTenantsIT {
  /** More than Helm processes at once; how it is with hundreds is measured in bench. */
  private static final int TENANTS = 12;

  /** Whom the operators are, so that the audit tells them from those of other tests. */
  private static final String USER = "many";

  private static final String MASTERS = "system:masters";
  private static final Set<String> READS = Set.of("get", "list", "watch");

  @TempDir Path directory;

  private final ControlPlane home;
  private final ControlPlane edge;
  private final Tenants near;
  private final Tenants far;

  ManyTenantsIT(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) {
    this.home = home;
    this.edge = edge;
    this.near = new Tenants(home, "many", "many-near");
    this.far = new Tenants(edge, "many", "many-far");
  }

  @Test
  void a_fleet_comes_up_rests_and_outlives_its_operators_and_its_connections() throws Exception {
    Fleet.namespace(home, "many");
    Fleet.namespace(edge, "many");
    var proxy = edge.proxy();
    Fleet.register(home, "many", "many-near", home.kubeconfigFor(USER, MASTERS));
    Fleet.register(home, "many", "many-far", edge.access(USER, MASTERS).via(proxy.url()).yaml());

    try (var first = start();
        var second = start()) {
      eventually(
          "both engaged by both",
          () -> {
            for (var operator : List.of(first, second)) {
              assertThat(operator.hasEngaged("many-near")).isTrue();
              assertThat(operator.hasEngaged("many-far")).isTrue();
            }
          });
      for (var i = 0; i < TENANTS; i++) {
        near.create("many-" + i, "{}");
        far.create("many-" + i, "{}");
      }
      eventually("all ready", () -> assertAllReady(near, far));
      var leader = first.metric("krypton_leader") == 1 ? first : second;
      var other = leader == first ? second : first;
      assertThat(other.metric("krypton_leader")).isZero();
      eventually("each release once", () -> assertThat(installs(leader)).isEqualTo(2.0 * TENANTS));
      assertThat(installs(other)).as("only the leader works").isZero();

      aQuietFleetCostsNothing(leader);
      aLabelTakenOffAndPutBackChangesNothing(leader);
      aClusterThatFailsKeepsTheFinalizerUntilItAnswers(leader, proxy);

      leader.kill();
      far.create("many-after", "{}");
      eventually("the other works", () -> assertThat(far.phase("many-after")).isEqualTo("Ready"));
      eventually(
          "nothing was done again",
          () -> {
            assertThat(other.metric("krypton_leader")).isEqualTo(1);
            assertThat(other.metric("krypton_helm_operations_total")).isEqualTo(1);
          });
      aRotatedKubeconfigIsUsed(edge.kubeconfigFor("many-rotated", "system:masters"));
    }
  }

  /** Events may still be under way when the last Tenant is ready; after them comes silence. */
  private void aQuietFleetCostsNothing(Operator operator) {
    eventually(
        "at rest",
        () -> {
          var helm = operator.metric("krypton_helm_operations_total");
          var marks = List.of(near.plane().audit().mark(), far.plane().audit().mark());
          awaitLookAtEachTenant(operator);
          assertThat(writes(near, marks.getFirst())).isEmpty();
          assertThat(writes(far, marks.getLast())).isEmpty();
          assertThat(operator.metric("krypton_helm_operations_total")).isEqualTo(helm);
          assertThat(operator.metric("krypton_helm_processes"))
              .as("the worker waits for work")
              .isLessThanOrEqualTo(1);
        });
  }

  private static void awaitLookAtEachTenant(Operator operator) throws Exception {
    var runs = operator.metric("krypton_reconcile_total", "\"noop\"");
    eventually(
        "each looked at",
        () ->
            assertThat(operator.metric("krypton_reconcile_total", "\"noop\""))
                .isGreaterThanOrEqualTo(runs + 2 * TENANTS));
  }

  /** What the operator or Helm changed, other than the Lease. */
  private static List<AuditRecord> writes(Tenants tenants, ApiAudit.Mark since) {
    return tenants
        .plane()
        .audit()
        .since(since)
        .by(USER)
        .only(
            request ->
                request.userAgent().startsWith("Helm/")
                    || (request.userAgent().startsWith("krypton")
                        && !request.resource().equals("leases")
                        && !READS.contains(request.verb())))
        .records();
  }

  private void aLabelTakenOffAndPutBackChangesNothing(Operator operator) throws Exception {
    var helm = operator.metric("krypton_helm_operations_total", "\"many-near\"");
    Fleet.label(near.plane(), "many", "many-far", null);
    // One that is still disengaging is down as well; what was counted goes when it is over.
    eventually(
        "disengaged",
        () -> {
          assertThat(operator.hasEngaged("many-far")).isFalse();
          assertThat(operator.metric("krypton_helm_operations_total", "\"many-far\"")).isZero();
        });
    far.create("many-unseen", "{}");
    Fleet.label(near.plane(), "many", "many-far", "true");
    eventually("seen again", () -> assertThat(far.phase("many-unseen")).isEqualTo("Ready"));
    assertAllReady(far);
    eventually(
        "only the new one was installed; what was counted before went with the cluster",
        () ->
            assertThat(operator.metric("krypton_helm_operations_total", "\"many-far\""))
                .isEqualTo(1));
    assertThat(operator.metric("krypton_helm_operations_total", "\"many-near\"")).isEqualTo(helm);
  }

  private void aClusterThatFailsKeepsTheFinalizerUntilItAnswers(Operator operator, FaultProxy proxy)
      throws Exception {
    proxy.answer(500);
    far.delete("many-0");
    near.create("many-meanwhile", "{}");
    eventually(
        "the operator has met the failure",
        () ->
            assertThat(operator.metric("krypton_api_requests_total", "many-far", "code=\"500\""))
                .isPositive());
    eventually(
        "the other cluster goes on",
        () -> assertThat(near.phase("many-meanwhile")).isEqualTo("Ready"));
    assertThat(far.get("many-0").at("/metadata/finalizers/0").asText())
        .isEqualTo("mesh.openkcm.io/cleanup");
    assertThat(far.revisions("many-0")).isNotEmpty();
    proxy.pass();
    eventually(
        "completed later",
        () -> {
          assertThat(far.exists("many-0")).isFalse();
          assertThat(far.object("/api/v1/namespaces/many-0").isMissingNode()).isTrue();
        });
  }

  private void aRotatedKubeconfigIsUsed(String kubeconfig) {
    var mark = edge.audit().mark();
    near.change(
            "/api/v1/namespaces/many/secrets/many-far",
            "{\"stringData\":{\"kubeconfig\":%s}}".formatted(quoted(kubeconfig)))
        .orThrow();
    eventually(
        "the new kubeconfig is in use",
        () ->
            assertThat(edge.audit().since(mark).by("many-rotated").records())
                .anyMatch(request -> request.uri().contains("/tenants")));
    far.create("many-rotated", "{}");
    eventually("ready", () -> assertThat(far.phase("many-rotated")).isEqualTo("Ready"));
    assertThat(edge.audit().since(mark).by("many-rotated").withVerb("create").records())
        .as("by the operator and by Helm")
        .anyMatch(request -> request.userAgent().startsWith("krypton"))
        .anyMatch(request -> request.userAgent().startsWith("Helm/"));
  }

  private static String quoted(String text) {
    return TextNode.valueOf(text).toString();
  }

  private static double installs(Operator operator) throws Exception {
    return operator.metric("krypton_helm_operations_total", "\"install\"", "\"done\"");
  }

  private static void assertAllReady(Tenants... fleets) {
    for (var tenants : fleets) {
      assertThat(tenants.all())
          .extracting(tenant -> tenant.at("/status/phase").asText())
          .containsOnly("Ready");
    }
  }

  private Operator start() throws Exception {
    return Operators.start(
        directory,
        home.kubeconfigFor(USER, MASTERS),
        "many",
        List.of(
            "-chart-repo=" + Operators.chart("app"),
            "-chart-name=app",
            "-chart-version=0.1.0",
            "--watch-namespaces=many",
            "--leader-elect-lease-duration=6s",
            "--leader-elect-renew-deadline=4s",
            "--leader-elect-retry-period=1s",
            "-check-interval=3s"));
  }
}
