// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.lab.LogLines;
import io.krypton.agent.lab.Manifests;
import io.krypton.agent.lab.TargetObject;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.base.kmsreport.UnreadableKeys;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A reporter that is newer than the definition of KmsHealth, on a real API server. */
@ExtendWith(ControlPlaneExtension.class)
class EarlierDefinitionIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final List<String> NEW_FIELDS = List.of("role", "lease", "unreadableOldKeys");
  private static final String OLD_KEY = KeyHash.label("k1");
  private static final PluginReport WRITER =
      PluginReport.healthy(KeyId.of(2), Samples.T0, KeyHash.label("k2"))
          .withRole(ReportedRole.WRITE)
          .withUnreadableKeys(
              UnreadableKeys.named(Stream.of(OLD_KEY)), "cannot decrypt data of an older key");

  @TempDir Path directory;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);

  /** On a control plane of its own: other tests want the definition as it is. */
  @Test
  void what_it_does_not_know_is_left_out_until_it_is_replaced(
      @Cluster("earlier") ControlPlane plane) {
    define(plane, false);
    var target = new TargetObject(plane, ReportTarget.KMSHEALTH);
    await().atMost(SOON).until(() -> target.create().status() / 100 == 2);
    try (var log = LogLines.of("io.krypton.agent.reporter.publish.ReportWriter");
        var lab =
            PublisherLab.start(
                directory,
                plane.adminKubeconfig(),
                target,
                node,
                "report-as",
                "typed",
                "refresh-interval",
                "1s")) {
      lab.sees(WRITER);

      await().atMost(SOON).until(() -> target.entries(node).size() == 1);
      assertThat(target.entries(node).getFirst().path("detail").asText()).startsWith("cannot");
      assertThat(NEW_FIELDS).noneMatch(target.entries(node).getFirst()::has);
      assertThat(target.condition(node).isMissingNode()).as("not by a condition").isTrue();
      assertThat(log.texts())
          .singleElement()
          .asString()
          .contains("KmsHealth is defined by an earlier release");

      define(plane, true);

      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                var entry = target.entries(node).getFirst();
                assertThat(entry.path("role").asText()).isEqualTo("Write");
                assertThat(entry.path("lease").asText())
                    .isEqualTo("krypton-system/kms-kmshealth-" + node);
                assertThat(entry.at("/unreadableOldKeys/0").asText()).isEqualTo(OLD_KEY);
              });
      assertThat(log.texts()).as("told once").hasSize(1);
    }
  }

  private static void define(ControlPlane plane, boolean withNewFields) {
    var crd = Manifests.read(Manifests.CRDS.resolve("kmshealths.mesh.openkcm.io.yaml")).getFirst();
    var properties =
        (ObjectNode)
            crd.at(
                "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties"
                    + "/encryptionStatus/properties/healthReports/items/properties");
    properties.remove(NEW_FIELDS);
    if (withNewFields) {
      properties.putObject("role").put("type", "string");
      properties.putObject("lease").put("type", "string");
      var hashes = properties.putObject("unreadableOldKeys").put("type", "array");
      hashes.putObject("items").put("type", "string");
    }
    plane.admin().apply(path(crd), "lab", crd.toString()).orThrow();
  }

  private static String path(JsonNode crd) {
    return "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
        + crd.at("/metadata/name").asText();
  }
}
