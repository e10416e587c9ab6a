// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import io.krypton.sandbox.fault.Fault;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Two operators, of which one works: frozen, thawed and killed. */
@ExtendWith(ControlPlaneExtension.class)
@ResourceLock(Fleet.DEFAULT_NAMESPACE)
@Order(4)
class LeadersIT {
  private static final Duration LEASE = Duration.ofSeconds(9);

  /** The lease's duration, and what a follower and a busy machine may add. */
  private static final Duration TAKEOVER = LEASE.plusSeconds(30);

  private static final Set<String> WRITES = Set.of("create", "update", "patch", "delete");

  @TempDir Path directory;

  @Test
  void at_no_time_do_two_of_them_write(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    Fleet.namespace(home, "leaders");
    // A name that is also ours for the cluster with the Lease: it must not matter.
    Fleet.register(home, "leaders", "home", edge.kubeconfigFor("leaders", "system:masters"));
    try (var dark = edge.proxy();
        var way = home.proxy()) {
      dark.blackHole();
      Fleet.register(home, "leaders", "leaders-dark", edge.adminKubeconfig(dark));
      try (var first = start(home.adminKubeconfig())) {
        engaged(first);
        eventually(
            "a cluster that swallows everything holds up nobody",
            () ->
                assertThat(first.probe("/readyz?verbose").body())
                    .contains("clusters Engaged: ")
                    .doesNotContain("leaders-dark")
                    .contains("readyz check passed"));
        leads(first);
        Fleet.tenant(edge, "led", "{}");
        eventually("ready", () -> assertThat(Fleet.phase(edge, "led")).isEqualTo("Ready"));
        try (var second = start(home.adminKubeconfig(way))) {
          engaged(second);
          credentialsAreJudged(home, edge, first);
          frozenAndThawed(home, edge, first, second);
          killed(home, edge, first, second);
          way.injectKeepingConnections(new Fault.BlackHole());
          var ending = second.terminate();
          assertThat(ending.exit()).isEqualTo(143);
          assertThat(ending.took()).as("with home out of reach").isLessThan(Operator.ENDS_WITHIN);
        }
      }
    }
  }

  private Operator start(String home) throws Exception {
    return Operators.start(
        directory,
        home,
        "leaders",
        "echo",
        "--leader-elect-lease-duration=" + LEASE.toSeconds() + "s",
        "--leader-elect-renew-deadline=6s",
        "--leader-elect-retry-period=1s");
  }

  private static void engaged(Operator operator) {
    eventually(
        "engaged",
        () ->
            assertThat(operator.metrics("/status").body())
                .as(operator.log())
                .contains("\"state\":\"Engaged\""));
  }

  private static void leads(Operator operator) {
    eventually(
        "leads", () -> assertThat(operator.metrics("/status").body()).contains("\"leader\":true"));
  }

  /** Credentials that end soon, and such that are refused, are named on their Secret. */
  private static void credentialsAreJudged(
      ControlPlane home, ControlPlane edge, Operator operator) {
    var brief = Fleet.token(edge, "default", Duration.ofHours(1));
    Fleet.register(home, "leaders", "leaders-brief", Fleet.kubeconfig(edge, brief));
    Fleet.register(home, "leaders", "leaders-refused", Fleet.kubeconfig(edge, "nonsense"));
    eventually(
        "told on the Secrets",
        () -> {
          assertThat(Fleet.clusterEvents(home, "leaders", "leaders-brief"))
              .anyMatch(text -> text.startsWith("ClusterCredentialsExpiring: credentials end at"));
          assertThat(Fleet.clusterEvents(home, "leaders", "leaders-refused"))
              .anyMatch(
                  text ->
                      text.startsWith("ClusterUnreachable:")
                          && text.contains("refused the credentials (401)"));
          assertThat(Fleet.clusterEvents(home, "leaders", "leaders-dark"))
              .anyMatch(text -> text.startsWith("ClusterUnreachable:"));
        });
    eventually(
        "and in the metrics",
        () ->
            assertThat(operator.metrics("/metrics").body().lines())
                .filteredOn(line -> line.startsWith("krypton_cluster_credentials_expire_seconds"))
                .filteredOn(line -> line.contains("leaders-brief"))
                .singleElement()
                .satisfies(
                    line ->
                        assertThat(Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                            .isBetween(0.0, 3600.0)));
  }

  /**
   * While the second one is frozen, too, each write is one of the first; so there must be none
   * before it has won the lease again.
   */
  private static void frozenAndThawed(
      ControlPlane home, ControlPlane edge, Operator first, Operator second) throws Exception {
    var identity = holder(home);
    first.signal("STOP");
    var frozen = Instant.now();
    leads(second);
    assertThat(Duration.between(frozen, acquired(home))).isLessThan(TAKEOVER);
    assertThat(holder(home)).isNotEqualTo(identity);

    second.signal("STOP");
    var mark = edge.audit().mark();
    Fleet.patch(edge, "led", "{\"spec\":{\"values\":{\"message\":\"thawed\"}}}");
    first.signal("CONT");
    eventually("wins again", () -> assertThat(holder(home)).isEqualTo(identity));
    var won = acquired(home);
    eventually("does what was left", () -> assertThat(writes(edge, mark)).isNotEmpty());
    assertThat(writes(edge, mark))
        .allSatisfy(write -> assertThat(write.at()).as("%s", write).isAfterOrEqualTo(won));

    second.signal("CONT");
    eventually(
        "follows", () -> assertThat(second.metrics("/status").body()).contains("\"leader\":false"));
    assertThat(holder(home)).isEqualTo(identity);
    assertThat(first.isAlive() && second.isAlive()).as("nobody exited").isTrue();
  }

  private static void killed(ControlPlane home, ControlPlane edge, Operator first, Operator second)
      throws Exception {
    eventually("at rest", () -> assertThat(Fleet.phase(edge, "led")).isEqualTo("Ready"));
    var killed = Instant.now();
    first.kill();
    leads(second);
    assertThat(Duration.between(killed, acquired(home))).isLessThan(TAKEOVER);
    Fleet.patch(edge, "led", "{\"spec\":{\"values\":{\"message\":\"second\"}}}");
    eventually(
        "works",
        () ->
            assertThat(
                    edge.admin()
                        .get("/api/v1/namespaces/led/configmaps/tenant-led-home")
                        .body()
                        .at("/data/message")
                        .asText())
                .as(second.log())
                .isEqualTo("second"));
    Fleet.delete(edge, "led");
    eventually("gone", () -> assertThat(Fleet.tenantStatus(edge, "led")).isEqualTo(404));
  }

  private static JsonNode lease(ControlPlane home) {
    return home.admin()
        .get("/apis/coordination.k8s.io/v1/namespaces/leaders/leases/krypton-operator")
        .body()
        .path("spec");
  }

  private static String holder(ControlPlane home) {
    return lease(home).path("holderIdentity").asText();
  }

  private static Instant acquired(ControlPlane home) {
    return Instant.parse(lease(home).path("acquireTime").asText());
  }

  /** What operators and their children changed; the test itself has another user agent. */
  private static List<AuditRecord> writes(ControlPlane edge, ApiAudit.Mark mark) {
    return edge.audit()
        .since(mark)
        .by("leaders")
        .only(
            request ->
                WRITES.contains(request.verb())
                    && (request.userAgent().startsWith("krypton")
                        || request.userAgent().startsWith("Helm/")))
        .records();
  }
}
