// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The same on objects of OpenShift's shape; the test plays the reporters and the platform. */
@ExtendWith(ControlPlaneExtension.class)
class KmsOnOpenShiftIT {
  private static final String PLUGINS = "KMSPluginsDegraded";
  private static final String LOOKS = "krypton_reconcile_seconds_count";
  private static final Path CRDS = Shell.ROOT.resolve("e2e/src/test/resources/openshift");

  @TempDir Path directory;

  @Test
  void reports_on_the_operator_of_the_platform_reach_its_cluster_operator(
      @Cluster("home") ControlPlane home, @Cluster("openshift") ControlPlane edge)
      throws Exception {
    Fleet.namespace(home, "openshift");
    Fleet.register(home, "openshift", "os-edge", edge.adminKubeconfig());
    Leases.namespace(edge);
    for (var crd : new String[] {"kubeapiservers", "clusteroperators", "apiservers"}) {
      KmsObject.define(edge, CRDS.resolve(crd + ".yaml"));
    }
    var source =
        new KmsObject(
            edge, "operator.openshift.io/v1", "KubeAPIServer", "kubeapiservers", "cluster");
    var sum =
        new KmsObject(
            edge,
            "config.openshift.io/v1",
            "ClusterOperator",
            "clusteroperators",
            "kube-apiserver");
    eventually("defined", source::create);
    source
        .applyStatus(
            "platform",
            """
            {"nodeStatuses":[{"nodeName":"o-0","currentRevision":3},{"nodeName":"o-1","currentRevision":3}]}
            """)
        .orThrow();
    try (var operator =
        Operators.start(
            directory,
            home,
            "openshift",
            "echo",
            "--leader-elect=false",
            "--kms-discovery-interval=1s",
            "--kms-recovery-hold=2s")) {
      eventually(
          "well, once the operator has seen them change",
          () -> {
            reportAsCondition(
                source, "keyID=2 status=healthy lastChecked=%s remoteKeyID=kek interval=30s");
            reportAsEntry(source, "Healthy", "");
            assertThat(source.says(PLUGINS)).as(operator.log()).isEqualTo("False/AsExpected");
            assertThat(source.says("KMSKeysConverged")).isEqualTo("Unknown/WriteKeyAssumed");
            assertThat(sum.says("Degraded")).isEqualTo("False/AsExpected");
            assertThat(sum.says("Available")).isEqualTo("Unknown/NoData");
          });

      reportAsEntry(source, "Unhealthy", ",\"detail\":\"lacks permission\"");
      eventually(
          "a failing plugin shows on the operator",
          () -> {
            assertThat(source.says(PLUGINS)).isEqualTo("True/PluginUnhealthy");
            assertThat(source.message(PLUGINS))
                .isEqualTo("node o-1 keyID 2 (write): unhealthy: lacks permission");
            assertThat(sum.message("Degraded")).contains(PLUGINS + ": node o-1 keyID 2 (write)");
          });
      assertThat(sum.says("Degraded")).as("inertia").isEqualTo("False/AsExpected");

      // Another trouble that is old enough brings the young one along.
      source
          .applyStatus(
              "node-controller",
              """
              {"conditions":[{"type":"NodeControllerDegraded","status":"True","reason":"MasterNodesReady",
               "lastTransitionTime":"2026-01-01T00:00:00Z","message":"a master is down"}]}
              """)
          .orThrow();
      eventually(
          "summed up",
          () -> {
            assertThat(sum.says("Degraded"))
                .isEqualTo("True/KMSPlugins_PluginUnhealthy::NodeController_MasterNodesReady");
            assertThat(sum.message("Degraded"))
                .isEqualTo(
                    "KMSPluginsDegraded: node o-1 keyID 2 (write): unhealthy: lacks permission\n"
                        + "NodeControllerDegraded: a master is down");
          });

      looksWithoutNewsCostNoWrite(source, sum, edge, operator);
      var version = sum.version();
      var mark = edge.audit().mark();
      hugeReportHarmsItself(source);
      eventually("summed up", () -> assertThat(sum.version()).isNotEqualTo(version));
      assertThat(edge.audit().since(mark).records())
          .filteredOn(it -> it.verb().equals("patch") && it.resource().equals("clusteroperators"))
          .hasSizeLessThanOrEqualTo(2);

      sum.applyStatus(
              "platform-syncer",
              """
              {"conditions":[{"type":"Progressing","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z"}]}
              """)
          .orThrow();
      var theirs = sum.version();
      reportAsCondition(source, "keyID=2 status=unhealthy lastChecked=%s cause=NotOk");
      eventually(
          "the operator goes on",
          () -> assertThat(source.message(PLUGINS)).contains("node o-0 keyID 2 (write)"));
      assertThat(sum.version()).as("whoever else writes it has it for himself").isEqualTo(theirs);
      assertThat(source.condition("NodeControllerDegraded").path("message").asText())
          .isEqualTo("a master is down");
    }
  }

  /** Heartbeats wake the aggregator, and change nothing that it says. */
  private static void looksWithoutNewsCostNoWrite(
      KmsObject source, KmsObject sum, ControlPlane edge, Operator operator) throws Exception {
    heartbeat(edge, 0);
    eventually("at rest", () -> assertThat(isAtRest(operator)).isTrue());
    var before = List.of(source.version(), sum.version());
    var mark = edge.audit().mark();
    for (int i = 1; i <= 5; i++) {
      var looks = operator.metric(LOOKS, "controller=\"kmshealth\"");
      heartbeat(edge, i);
      eventually(
          "looked", () -> assertThat(operator.metric(LOOKS, "kmshealth")).isGreaterThan(looks));
    }
    eventually("at rest again", () -> assertThat(isAtRest(operator)).isTrue());
    assertThat(List.of(source.version(), sum.version())).isEqualTo(before);
    assertThat(edge.audit().since(mark).records())
        .filteredOn(it -> Set.of("kubeapiservers", "clusteroperators").contains(it.resource()))
        .noneMatch(it -> Set.of("patch", "update", "create", "delete").contains(it.verb()));
  }

  /** No look has ended for two seconds. */
  private static boolean isAtRest(Operator operator) throws Exception {
    var looks = operator.metric(LOOKS, "kmshealth");
    await()
        .during(Duration.ofSeconds(2))
        .atMost(Duration.ofSeconds(20))
        .until(() -> operator.metric(LOOKS, "kmshealth") == looks);
    return true;
  }

  private static void heartbeat(ControlPlane edge, int number) {
    for (var node : List.of("o-0", "o-1")) {
      Leases.renew(edge, "kubeapiserver", node, number);
    }
  }

  private static void hugeReportHarmsItself(KmsObject source) {
    reportAsCondition(
        source, "keyID=2 status=healthy lastChecked=%s detail=" + "x".repeat(1_000_000));
    eventually(
        "one megabyte is not read",
        () ->
            assertThat(source.message(PLUGINS))
                .isEqualTo(
                    "node o-0: report cannot be parsed\n"
                        + "node o-1 keyID 2 (write): unhealthy: lacks permission"));
  }

  private static Instant now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS);
  }

  private static void reportAsCondition(KmsObject source, String line) {
    source
        .applyStatus(
            "kms-health-reporter-o-0",
            """
            {"conditions":[{"type":"KMSHealthReporter_o-0","status":"True","reason":"AsExpected",
             "lastTransitionTime":"2026-01-01T00:00:00Z","message":"%s"}]}
            """
                .formatted(line.formatted(now())))
        .orThrow();
  }

  private static void reportAsEntry(KmsObject source, String status, String more) {
    source
        .applyStatus(
            "kms-health-reporter-o-1",
            """
            {"encryptionStatus":{"healthReports":[{"nodeName":"o-1","keyID":"2","status":"%s",
             "lastCheckedTime":"%s","remoteKeyID":"kek"%s}]}}
            """
                .formatted(status, now(), more))
        .orThrow();
  }
}
