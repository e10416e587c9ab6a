// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit.Mark;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real operator must stop in the middle of an install, and its worker with it: by the audit log
 * nothing of Helm follows, though the hook that it waits for is done then and objects would be
 * next. Whoever may go on finishes the release.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(5)
class CancelledInMidRunIT {
  /** As long as the answer to a hook that is done would take to show. */
  private static final Duration A_WHILE = Duration.ofSeconds(3);

  private static final String CLUSTER = "stopped-edge";
  private static final String TENANT = "stopped-";

  @TempDir Path directory;

  private final ControlPlane home;
  private final ControlPlane edge;

  CancelledInMidRunIT(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) {
    this.home = home;
    this.edge = edge;
  }

  @Test
  void after_a_lost_lease_no_request_follows_until_it_is_held_again() throws Exception {
    var tenants = prepare("lease");
    try (var way = home.proxy();
        var operator =
            start(
                "lease",
                home.adminKubeconfig(way),
                "--leader-elect-lease-duration=9s",
                "--leader-elect-renew-deadline=6s",
                "--leader-elect-retry-period=1s")) {
      install(tenants, operator);
      var worker = worker(operator);

      way.injectKeepingConnections(new Fault.BlackHole());

      ended(operator);
      assertThat(operator.metric("krypton_leader")).isZero();
      assertNothingFollows(tenants, edge.audit().mark());
      assertThat(worker.isAlive()).as("the worker waits for work").isTrue();
      way.pass();
      assertFinished(tenants, operator);
    }
  }

  @Test
  void after_its_cluster_is_taken_away_no_request_follows_until_it_is_back() throws Exception {
    var tenants = prepare("label");
    try (var operator = start("label", home.adminKubeconfig(), "--leader-elect=false")) {
      install(tenants, operator);
      var worker = worker(operator);

      Fleet.label(home, tenants.namespace(), CLUSTER, "false");

      ended(operator);
      assertNothingFollows(tenants, edge.audit().mark());
      assertThat(worker.isAlive()).as("the worker waits for work").isTrue();
      Fleet.label(home, tenants.namespace(), CLUSTER, "true");
      assertFinished(tenants, operator);
    }
  }

  @Test
  void from_sigterm_on_nothing_is_written_and_the_next_operator_need_not_wait() throws Exception {
    var tenants = prepare("sigterm");
    try (var operator = start("sigterm", home.adminKubeconfig(), "--leader-elect=false")) {
      install(tenants, operator);
      var worker = worker(operator);
      var mark = edge.audit().mark();

      assertThat(operator.terminate().exit()).isEqualTo(143);

      assertThat(worker.isAlive()).isFalse();
      assertNothingFollows(tenants, mark);
    }
    try (var next = start("sigterm", home.adminKubeconfig(), "--leader-elect=false")) {
      assertFinished(tenants, next);
    }
  }

  private Tenants prepare(String what) {
    var namespace = TENANT + what;
    Fleet.namespace(home, namespace);
    Fleet.namespace(edge, namespace);
    Fleet.register(home, namespace, CLUSTER, edge.kubeconfigFor(TENANT + what, "system:masters"));
    return new Tenants(edge, namespace, CLUSTER);
  }

  private Operator start(String what, String kubeconfig, String... flags) throws Exception {
    var all =
        new ArrayList<>(
            List.of(
                "-chart-repo=" + Operators.chart("slow"),
                "-chart-name=slow",
                "-chart-version=0.1.0",
                "--watch-namespaces=" + TENANT + what,
                "--helm-engine=worker"));
    all.addAll(List.of(flags));
    return Operators.start(directory, kubeconfig, TENANT + what, all);
  }

  /** The Tenant has the name of the namespace with its Tenants, and "-one". */
  private static String tenant(Tenants tenants) {
    return tenants.namespace() + "-one";
  }

  private static void install(Tenants tenants, Operator operator) {
    eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
    tenants.create(tenant(tenants), "{}");
    eventually(
        "waits for its hook",
        () -> {
          assertThat(tenants.revisions(tenant(tenants))).containsExactly("pending-install");
          assertThat(job(tenants).isMissingNode()).isFalse();
        });
    // What it says of the step comes a moment later, and is no write of somebody who was stopped.
    eventually(
        "told",
        () -> {
          assertThat(tenants.condition(tenant(tenants), "Reconciling")).startsWith("True/");
          assertThat(tenants.events(tenant(tenants))).containsKeys("HelmInstallStart", "PhaseSet");
        });
  }

  private static JsonNode job(Tenants tenants) {
    return tenants.object("/apis/batch/v1/namespaces/%s/jobs/gate".formatted(tenant(tenants)));
  }

  private static ProcessHandle worker(Operator operator) {
    return operator
        .handle()
        .descendants()
        .filter(it -> it.info().command().orElse("").endsWith("/krypton-helm"))
        .findFirst()
        .orElseThrow();
  }

  /** By then the operator says that nothing of it is on its way any more. */
  private static void ended(Operator operator) {
    eventually(
        "the install has ended",
        () ->
            assertThat(operator.metric("krypton_helm_operation_seconds_count", "\"install\""))
                .as(operator.log())
                .isEqualTo(1));
  }

  private void assertNothingFollows(Tenants tenants, Mark mark) {
    Fleet.completeJob(edge, tenant(tenants), "gate");
    await()
        .during(A_WHILE)
        .atMost(Fleet.PATIENCE)
        .untilAsserted(() -> assertThat(Writes.since(edge, mark, tenants.namespace())).isEmpty());
    assertThat(tenants.revisions(tenant(tenants))).containsExactly("pending-install");
    assertThat(tenants.object(configMap(tenants)).isMissingNode()).isTrue();
  }

  private static String configMap(Tenants tenants) {
    return "/api/v1/namespaces/%s/configmaps/%s"
        .formatted(tenant(tenants), tenants.release(tenant(tenants)));
  }

  private void assertFinished(Tenants tenants, Operator operator) {
    eventually(
        "finished",
        () -> {
          Fleet.completeJob(edge, tenant(tenants), "gate");
          assertThat(tenants.phase(tenant(tenants))).as(operator.log()).isEqualTo("Ready");
        });
    assertThat(tenants.revisions(tenant(tenants))).containsExactly("deployed");
    assertThat(tenants.object(configMap(tenants)).isMissingNode()).isFalse();
  }
}
