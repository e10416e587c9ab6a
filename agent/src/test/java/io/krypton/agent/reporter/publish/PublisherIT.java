// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.FAILING_PLUGIN;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY_PLUGIN;
import static io.krypton.agent.reporter.publish.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What arrives on a real API server, and what stays as it was. */
@ExtendWith(ControlPlaneExtension.class)
class PublisherIT {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final PluginReport BAD_ID = PluginReport.healthy(KeyId.of(1), T0, "bad!");
  private static final PluginReport NO_ID =
      PluginReport.failing(KeyId.of(1), ReportedHealth.ERROR, T0, null, "Timeout", "no answer");

  @TempDir Path directory;
  private final ControlPlane plane;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);

  PublisherIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    TargetObject.install(plane, ReportTarget.KMSHEALTH);
    TargetObject.install(plane, ReportTarget.KUBEAPISERVER);
    TargetObject.install(plane, ReportTarget.AUTHENTICATION);
  }

  @ParameterizedTest
  @EnumSource(names = {"KMSHEALTH", "KUBEAPISERVER"})
  void conditions_of_other_owners_stay_as_they_are(ReportTarget kind) {
    var target = new TargetObject(plane, kind);
    target.applyForeignStatus(
        "operator",
        """
        {"conditions": [{"type": "NodeControllerDegraded", "status": "False", "reason": "Fine",
         "message": "byte  for\\nbyte", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
        """);
    var foreign = TargetObject.condition(target.read(), "NodeControllerDegraded");
    try (var lab = lab(target)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> status(target).equals("True"));
      lab.sees(FAILING_PLUGIN);
      await().atMost(SOON).until(() -> status(target).equals("Unknown"));
    }
    assertThat(target.condition(node).path("message").asText())
        .isEqualTo(
            "keyID=2 status=unreachable lastChecked=2026-05-08T12:00:00Z remoteKeyID=k2"
                + " cause=SocketMissing interval=30s lease=krypton-system/kms-%s-%s detail=gone"
                    .formatted(kind.value(), node));
    assertThat(TargetObject.condition(target.read(), "NodeControllerDegraded")).isEqualTo(foreign);
  }

  @ParameterizedTest
  @EnumSource(names = {"KMSHEALTH", "KUBEAPISERVER"})
  void typed_reports_of_every_class_are_taken_next_to_each_other(ReportTarget kind) {
    var target = new TargetObject(plane, kind);
    try (var lab = lab(target, "report-as", "typed")) {
      lab.sees(HEALTHY_PLUGIN, NO_ID, unhealthy(3));

      await().atMost(SOON).until(() -> target.entries(node).size() == 3);
      assertThat(target.entries(node))
          .extracting(entry -> entry.path("status").asText())
          .containsExactlyInAnyOrder("Healthy", "Error", "Unhealthy");
      assertThat(target.condition(node).isMissingNode()).isTrue();
    }
  }

  @Test
  void an_entry_that_the_schema_refuses_is_left_out() {
    var target = new TargetObject(plane, ReportTarget.KUBEAPISERVER);
    try (var lab = lab(target, "report-as", "typed")) {
      lab.sees(HEALTHY_PLUGIN, BAD_ID);

      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "written") == 1);
      assertThat(target.entries(node))
          .extracting(entry -> entry.path("keyID").asText())
          .containsExactly("2");
    }
  }

  @Test
  void a_schema_without_typed_list_gets_conditions() {
    var target = new TargetObject(plane, ReportTarget.AUTHENTICATION);
    try (var lab = lab(target, "report-as", "typed")) {
      lab.sees(HEALTHY_PLUGIN);

      await().atMost(SOON).until(() -> status(target).equals("True"));
    }
  }

  @Test
  void another_form_after_a_restart_leaves_nothing_of_the_first() {
    var target = new TargetObject(plane, ReportTarget.KMSHEALTH);
    try (var lab = lab(target)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> status(target).equals("True"));
    }
    try (var lab = lab(target, "report-as", "typed")) {
      lab.sees(HEALTHY_PLUGIN, unhealthy(3));
      await().atMost(SOON).until(() -> target.entries(node).size() == 2);
      assertThat(target.condition(node).isMissingNode()).isTrue();
    }
    try (var lab = lab(target, "report-as", "typed")) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> target.entries(node).size() == 1);
    }
  }

  @Test
  void the_transition_time_survives_refreshes_and_restarts() {
    var target = new TargetObject(plane, ReportTarget.KMSHEALTH);
    target.applyForeignStatus(
        "kms-health-reporter-" + node,
        """
        {"conditions": [{"type": "KMSHealthReporter_%s", "status": "True", "reason": "AsExpected",
         "message": "", "lastTransitionTime": "2026-01-01T00:00:00Z"}]}
        """
            .formatted(node));
    try (var lab = lab(target, "refresh-interval", "100ms")) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "written") >= 3);
      assertThat(since(target)).isEqualTo("2026-01-01T00:00:00Z");
      assertThat(target.condition(node).path("message").asText()).startsWith("keyID=2 ");
    }
    try (var lab = lab(target)) {
      lab.sees(FAILING_PLUGIN);
      await().atMost(SOON).until(() -> status(target).equals("Unknown"));
      assertThat(since(target)).isGreaterThan("2026-05-01T00:00:00Z");
    }
  }

  @Test
  void a_lease_is_made_renewed_and_released() {
    var target = new TargetObject(plane, ReportTarget.KMSHEALTH);
    try (var lab = lab(target, "interval", "1500ms")) {
      lab.sees(HEALTHY_PLUGIN);
      lab.ticks();
      await().atMost(SOON).until(() -> lab.writes(WriteKind.LEASE, "written") == 1);
      var first = target.lease(node);
      lab.ticks();
      await().atMost(SOON).until(() -> lab.writes(WriteKind.LEASE, "written") == 2);
      var second = target.lease(node);

      assertThat(first.at("/spec/holderIdentity").asText()).matches(node + "_[0-9a-f]{8}");
      assertThat(first.at("/spec/leaseDurationSeconds").asInt()).isEqualTo(6);
      assertThat(first.at("/metadata/labels").toString())
          .isEqualTo("{\"mesh.openkcm.io/kms-target\":\"kmshealth\"}");
      assertThat(second.at("/spec/renewTime").asText())
          .isGreaterThan(first.at("/spec/renewTime").asText());
      assertThat(second.at("/spec/acquireTime")).isEqualTo(first.at("/spec/acquireTime"));
      assertThat(lab.writes(WriteKind.REPORT, "written")).isEqualTo(1);
    }
    var released = target.lease(node).path("spec");
    assertThat(released.path("holderIdentity").asText("absent")).isEmpty();
    assertThat(released.path("leaseDurationSeconds").asInt()).isEqualTo(6);
  }

  private PublisherLab lab(TargetObject target, String... flags) {
    return PublisherLab.start(directory, plane.adminKubeconfig(), target, node, flags);
  }

  private String status(TargetObject target) {
    return target.condition(node).path("status").asText();
  }

  private String since(TargetObject target) {
    return target.condition(node).path("lastTransitionTime").asText();
  }

  private static PluginReport unhealthy(long keyId) {
    return PluginReport.failing(
        KeyId.of(keyId), ReportedHealth.UNHEALTHY, T0, "k3", "NotOk", "no permission");
  }
}
