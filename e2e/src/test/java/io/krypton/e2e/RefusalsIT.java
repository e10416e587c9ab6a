// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is refused, by the API server and by the node the operator runs on, and the careful modes:
 * an operator with few rights that only tells of drift and rolls failed upgrades back.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(2)
class RefusalsIT {
  private static final String CLUSTER = "refusals-edge";
  private static final Duration FIVE_FAILURES = Duration.ofMinutes(3);

  @TempDir Path directory;

  @Test
  void each_refusal_is_told_in_its_words_and_ends_when_its_cause_does(
      @Cluster("home") ControlPlane home, @Cluster("refusals") ControlPlane edge) throws Exception {
    var tenants = new Tenants(edge, "refusals", CLUSTER);
    Fleet.namespace(home, "refusals");
    Fleet.namespace(edge, "refusals");
    Fleet.register(home, "refusals", CLUSTER, Restricted.kubeconfig(edge));
    var helm = directory.resolve("helm");
    Files.createSymbolicLink(helm, Assets.fromEnvironment().find(Binary.HELM));

    try (var operator = start(home, helm)) {
      eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
      anUpgradeBeginsToFail(tenants);
      rightsThatAreMissing(tenants, edge);
      driftIsOnlyTold(tenants);
      aMissingHelmIsTold(tenants, helm, operator);
      theFailedUpgradeWasRolledBack(tenants);
    }
  }

  private Operator start(ControlPlane home, Path helm) throws Exception {
    return Operators.start(
        directory,
        home,
        "refusals",
        List.of(
            "-chart-repo=" + Operators.chart("app"),
            "-chart-name=app",
            "-chart-version=0.1.0",
            "--helm-binary=" + helm,
            "--watch-namespaces=refusals",
            "--leader-elect=false",
            "--drift-detection=warn",
            "--upgrade-remediation=rollback",
            "-check-interval=2s"));
  }

  private static void anUpgradeBeginsToFail(Tenants tenants) {
    tenants.create("ref-upgrade", "{}");
    eventually("ready", () -> assertThat(tenants.phase("ref-upgrade")).isEqualTo("Ready"));
    tenants.values("ref-upgrade", "{\"replicas\":-1}");
    eventually(
        "a bad field is told as the API server tells it",
        () -> assertThat(tenants.error("ref-upgrade")).isEqualTo("True/UpgradeFailed"));
    assertThat(tenants.message("ref-upgrade")).contains("spec.replicas", "Invalid value: -1");
  }

  private static void rightsThatAreMissing(Tenants tenants, ControlPlane edge) {
    tenants.create("ref-rights", "{\"values\":{\"roles\":true}}");
    eventually(
        "refused", () -> assertThat(tenants.error("ref-rights")).isEqualTo("True/InstallFailed"));
    assertThat(tenants.message("ref-rights"))
        .contains("roles.rbac.authorization.k8s.io", "forbidden", "restricted");

    Restricted.mayGiveRights(edge);
    eventually(
        "granted",
        () -> {
          // The API server's authorizer learns of the binding a moment later.
          tenants.annotate("ref-rights", "requestedAt", String.valueOf(System.nanoTime()));
          assertThat(tenants.phase("ref-rights")).isEqualTo("Ready");
        });
    assertThat(tenants.error("ref-rights")).isEqualTo("False/Resolved");
  }

  private static void driftIsOnlyTold(Tenants tenants) {
    var configMap = "/api/v1/namespaces/ref-rights/configmaps/app";
    tenants.plane().admin().delete(configMap).orThrow();
    eventually(
        "told",
        () ->
            assertThat(tenants.eventList("ref-rights").toString())
                .contains("DriftDetected", "ConfigMap/ref-rights/app"));
    tenants.annotate("ref-rights", "requestedAt", "once-more");
    eventually(
        "looked at again",
        () ->
            assertThat(tenants.get("ref-rights").at("/status/lastHandledReconcileAt").asText())
                .isEqualTo("once-more"));
    assertThat(tenants.object(configMap).isMissingNode()).isTrue();
    assertThat(tenants.events("ref-rights")).doesNotContainKey("RepairTriggered");
  }

  private static void aMissingHelmIsTold(Tenants tenants, Path helm, Operator operator)
      throws Exception {
    Files.delete(helm);
    eventually(
        "not ready",
        () ->
            assertThat(operator.probe("/readyz").body())
                .contains("[-]helm failed", helm.toString(), "--helm-binary"));
    tenants.create("ref-helm", "{}");
    eventually(
        "told", () -> assertThat(tenants.error("ref-helm")).isEqualTo("True/HelmConfigInitFailed"));
    assertThat(tenants.message("ref-helm")).contains(helm.toString());
    eventually(
        "as an event",
        () -> assertThat(tenants.events("ref-helm")).containsEntry("HelmConfigInitFailed", 1));

    Files.createSymbolicLink(helm, Assets.fromEnvironment().find(Binary.HELM));

    eventually("by itself", () -> assertThat(tenants.phase("ref-helm")).isEqualTo("Ready"));
    eventually("ready", () -> assertThat(operator.probe("/readyz").body()).isEqualTo("ok"));
  }

  private static void theFailedUpgradeWasRolledBack(Tenants tenants) {
    await("the fifth failure")
        .ignoreExceptions()
        .atMost(FIVE_FAILURES)
        .untilAsserted(
            () -> assertThat(tenants.events("ref-upgrade")).containsKey("HelmRolledBack"));
    assertThat(tenants.error("ref-upgrade")).isEqualTo("True/UpgradeFailed");
    eventually(
        "stalled",
        () ->
            assertThat(tenants.condition("ref-upgrade", "Stalled"))
                .isEqualTo("True/UpgradeFailed"));
    var gaps = gapsBetweenFailures(tenants);
    assertThat(gaps).as("seconds between failed revisions").hasSizeGreaterThanOrEqualTo(2);
    // What Helm itself takes is in each of them, and differs.
    assertThat(gaps.getLast()).as("%s grow", gaps).isGreaterThan(gaps.getFirst());
    // Another error in between, as while Helm was missing, makes the same one news again.
    eventually(
        "one event for one error",
        () -> {
          var events = tenants.events("ref-upgrade");
          assertThat(events.get("HelmUpgradeFailed"))
              .isEqualTo(1 + events.getOrDefault("HelmConfigInitFailed", 0));
        });
  }

  private static List<Long> gapsBetweenFailures(Tenants tenants) {
    var failed =
        Fleet.revisionTimes(
            tenants.plane(), "ref-upgrade", tenants.release("ref-upgrade"), "failed");
    return IntStream.range(1, failed.size())
        .mapToObj(next -> Duration.between(failed.get(next - 1), failed.get(next)).toSeconds())
        .toList();
  }
}
