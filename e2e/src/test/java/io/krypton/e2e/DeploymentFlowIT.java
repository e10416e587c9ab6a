// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Deployments.hasNamespace;
import static io.krypton.e2e.Deployments.region;
import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.e2e.Deployments.Address;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * KryptonDeployments of two teams in two regions: the operator runs on one cluster, the objects are
 * on another, and the releases on two more.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(10)
class DeploymentFlowIT {
  private static final String NAMESPACE = "mesh";
  private static final String KEY = "kubeconfig";
  private static final List<String> TEAMS = List.of("team-a", "team-b");
  private static final int EACH = 3;

  /** Whom the operator is, so that the audit tells it from those of other tests. */
  private static final String USER = "mesh";

  private static final String MASTERS = "system:masters";

  @TempDir Path directory;

  @Test
  void deployments_go_to_their_regions_and_leave_nothing_behind(
      @Cluster("home") ControlPlane home,
      @Cluster("watch") ControlPlane watch,
      @Cluster("edge") ControlPlane edge01,
      @Cluster("edge02") ControlPlane edge02)
      throws Exception {
    Fleet.namespace(home, NAMESPACE);
    Fleet.namespace(watch, NAMESPACE);
    TEAMS.forEach(team -> Fleet.namespace(watch, team));
    var deployments = new Deployments(watch);
    var proxy = edge02.proxy();
    deployments.secret(NAMESPACE, "edge01-kubeconfig", KEY, edge01.kubeconfigFor(USER, MASTERS));
    deployments.secret(
        NAMESPACE, "edge02-kubeconfig", KEY, edge02.access(USER, MASTERS).via(proxy.url()).yaml());
    try (var operator =
        Operators.start(
            directory,
            home,
            NAMESPACE,
            List.of(
                "-chart-repo=" + Operators.chart("echo"),
                "-chart-name=echo",
                "-chart-version=0.1.0",
                "--controllers=deployments",
                "--watch-namespaces=" + String.join(",", TEAMS),
                "--watch-kubeconfig-secret=watch",
                "--ensure-watch-crds",
                "--check-interval=2s"))) {
      // A chart that waits for this pod may well be what creates that Secret.
      eventually(
          "ready before the Secret of the watch cluster exists",
          () -> assertThat(operator.probe("/readyz").body()).isEqualTo("ok"));
      new Deployments(home).secret(NAMESPACE, "watch", KEY, watch.kubeconfigFor(USER, MASTERS));

      var in01 = create(deployments, "edge01");
      var in02 = create(deployments, "edge02");
      var all = new ArrayList<>(in01);
      all.addAll(in02);
      all.forEach(id -> isReady(deployments, id, operator));
      in01.forEach(id -> stands(deployments, id, edge01, edge02));
      in02.forEach(id -> stands(deployments, id, edge02, edge01));

      var marks = List.of(watch.audit().mark(), edge01.audit().mark(), edge02.audit().mark());
      driftIsRepaired(deployments, in01.getFirst(), edge01, operator);
      // What must not appear while nothing happens does appear here.
      eventually("seen", () -> assertThat(Writes.since(watch, marks.get(0), USER)).isNotEmpty());
      assertThat(Writes.since(edge01, marks.get(1), USER)).isNotEmpty();
      aQuietFleetCostsNothing(operator, all.size(), watch, edge01, edge02);
      aRotatedKubeconfigIsUsed(deployments, in01, edge01, operator);
      aRegionThatIsDownHoldsItsOwnOnly(deployments, in01, in02, edge01, edge02, proxy);

      var ending = operator.terminate();
      assertThat(ending.exit()).isEqualTo(143);
      assertThat(ending.took()).isLessThan(Operator.ENDS_WITHIN);
      assertThat(operator.log()).doesNotContain("client-key-data", "BEGIN");
    }
  }

  private static List<Address> create(Deployments deployments, String region) {
    var ids = new ArrayList<Address>();
    for (var team : TEAMS) {
      for (var i = 1; i <= EACH; i++) {
        var name = "%s-%d-%s".formatted(team, i, region);
        eventually(
            "created once the definition is there",
            () -> ids.add(deployments.create(team, name, "acme", region(region))));
      }
    }
    return ids;
  }

  private static void isReady(Deployments deployments, Address id, Operator operator) {
    eventually(
        id + " is ready",
        () ->
            assertThat(deployments.summary(id))
                .as(operator.log())
                .isEqualTo("Ready True/Deployed"));
  }

  private static void stands(
      Deployments deployments, Address id, ControlPlane here, ControlPlane there) {
    var region = here.name().equals("edge02") ? "edge02" : "edge01";
    assertThat(hasNamespace(here, id.name())).isTrue();
    assertThat(hasNamespace(there, id.name())).isFalse();
    assertThat(Fleet.revisions(here, id.name(), id.release())).containsExactly("deployed");
    var status = deployments.status(id);
    assertThat(status.path("target").asText()).isEqualTo("mesh/%s-kubeconfig".formatted(region));
    assertThat(status.path("lastAppliedChart").asText()).endsWith("/echo:0.1.0");
    assertThat(status.path("lastMessage").asText())
        .isEqualTo("Successfully deployed to region " + region);
    eventually(
        "told",
        () ->
            assertThat(deployments.events(id))
                // Whether workloads are seen before they are ready depends on who is quicker.
                .filteredOn(event -> !event.startsWith("NotReady"))
                .containsExactlyInAnyOrder(
                    "AccountValidated: Account acme validated",
                    "FinalizerAdded: Finalizer added for cleanup on delete",
                    "Routing: Routing to region " + region,
                    "EdgeNamespaceCreated: Namespace %s created on %s".formatted(id.name(), region),
                    "HelmDeployed: Release %s deployed to %s".formatted(id.release(), id.name()),
                    "Ready: Deployment ready in region " + region));
  }

  private static void driftIsRepaired(
      Deployments deployments, Address id, ControlPlane edge, Operator operator) {
    var workload = "/apis/apps/v1/namespaces/%s/deployments/%s".formatted(id.name(), id.release());
    edge.admin().delete(workload).orThrow();
    deployments.annotate(id, "tests/reconcile", "1");
    eventually("put back", () -> assertThat(edge.admin().get(workload).status()).isEqualTo(200));
    eventually(
        "told",
        () ->
            assertThat(deployments.events(id))
                .anyMatch(event -> event.startsWith("RepairTriggered: Detected missing")));
    isReady(deployments, id, operator);
  }

  private static void aQuietFleetCostsNothing(
      Operator operator, int objects, ControlPlane watch, ControlPlane... edges) {
    var planes = new ArrayList<>(List.of(watch));
    planes.addAll(List.of(edges));
    eventually(
        "at rest, once the last events are written",
        () -> {
          var marks = planes.stream().map(plane -> plane.audit().mark()).toList();
          Writes.awaitQuietRuns(operator, 2 * objects);
          for (var i = 0; i < marks.size(); i++) {
            assertThat(Writes.since(planes.get(i), marks.get(i), USER)).isEmpty();
          }
        });
  }

  private static void aRotatedKubeconfigIsUsed(
      Deployments deployments, List<Address> ids, ControlPlane edge01, Operator operator) {
    var mark = edge01.audit().mark();
    deployments.secret(
        NAMESPACE,
        "edge01-kubeconfig",
        KEY,
        edge01.kubeconfigFor("rotated-user", "system:masters"));
    eventually(
        "connected anew",
        () ->
            assertThat(edge01.audit().since(mark).records())
                .anyMatch(record -> record.user().equals("rotated-user")));
    driftIsRepaired(deployments, ids.getLast(), edge01, operator);
    eventually(
        "by Helm too",
        () ->
            assertThat(edge01.audit().since(mark).records())
                .anyMatch(
                    record ->
                        record.user().equals("rotated-user")
                            && record.userAgent().startsWith("Helm/")));
    assertThat(deployments.events(ids.getLast()))
        .noneMatch(event -> event.startsWith("EdgeUnavailable"));
  }

  private static void aRegionThatIsDownHoldsItsOwnOnly(
      Deployments deployments,
      List<Address> in01,
      List<Address> in02,
      ControlPlane edge01,
      ControlPlane edge02,
      FaultProxy proxy) {
    proxy.refuse();
    in01.forEach(deployments::delete);
    in02.forEach(deployments::delete);
    eventually(
        "the other region is clean",
        () -> {
          assertThat(in01).allMatch(deployments::isGone);
          assertThat(in01).noneMatch(id -> hasNamespace(edge01, id.name()));
        });
    eventually(
        "told",
        () -> {
          for (var id : in02) {
            assertThat(deployments.summary(id)).isEqualTo("Error False/EdgeUnavailable");
            assertThat(deployments.message(id))
                .startsWith("Edge cluster edge02 not available")
                .contains("mesh.openkcm.io/deletion-policy=orphan");
          }
        });
    var orphan = in02.getFirst();
    deployments.annotate(orphan, "mesh.openkcm.io/deletion-policy", "orphan");
    eventually("let go", () -> assertThat(deployments.isGone(orphan)).isTrue());
    assertThat(in02.subList(1, in02.size())).noneMatch(deployments::isGone);

    proxy.pass();

    eventually(
        "clean when it is back",
        () -> {
          assertThat(in02).allMatch(deployments::isGone);
          assertThat(in02.subList(1, in02.size())).noneMatch(id -> hasNamespace(edge02, id.name()));
        });
    assertThat(Fleet.revisions(edge02, orphan.name(), orphan.release()))
        .containsExactly("deployed");
    edge02.admin().delete("/api/v1/namespaces/" + orphan.name()).orThrow();
  }
}
