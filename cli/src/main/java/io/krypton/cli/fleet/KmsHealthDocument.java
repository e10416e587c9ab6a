// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.HealthReport.PluginRole;
import io.krypton.api.kmshealth.HealthReport.PluginStatus;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.api.kmshealth.KmsHealthStatus.EncryptionStatus;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.cli.fleet.FleetReader.FleetWatches;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.ObjectTree;
import io.krypton.multicluster.client.ApiReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The KmsHealth of a cluster, as far as it is shown.
 *
 * @param json the whole object as the API server sent it
 */
record KmsHealthDocument(boolean enabled, KmsHealthStatus status, JsonNode json) {

  static KmsHealthDocument read(ApiReader api) {
    return of(api.get(FleetWatches.KMS_HEALTHS.path(KmsHealth.NAME)));
  }

  static KmsHealthDocument of(JsonNode object) {
    return new KmsHealthDocument(
        object.path("spec").path("enabled").asBoolean(true),
        status(object.path("status")),
        ObjectTree.withoutManagedFields(object));
  }

  private static KmsHealthStatus status(JsonNode status) {
    var typed = status.path("encryptionStatus").path("healthReports");
    var summary = ObjectTree.text(status.path("convergence"), "summary");
    return new KmsHealthStatus(
        ObjectTree.conditions(status.path("conditions")),
        new EncryptionStatus(ObjectTree.each(typed, KmsHealthDocument::report)),
        ObjectTree.each(status.path("nodes"), KmsHealthDocument::node),
        ObjectTree.text(status, "nodesHealthy"),
        ObjectTree.text(status, "writeKeyID"),
        null,
        summary == null ? null : new Convergence(null, null, null, null, List.of(), summary));
  }

  private static NodeHealth node(JsonNode node) {
    return new NodeHealth(
        node.path("nodeName").asText(""),
        constant(NodeHealth.State.class, node, "state"),
        null,
        null);
  }

  private static HealthReport report(JsonNode report) {
    var interval = report.path("intervalSeconds");
    return new HealthReport(
        report.path("nodeName").asText(""),
        report.path("keyID").asText(""),
        constant(PluginStatus.class, report, "status"),
        Age.parse(ObjectTree.text(report, "lastCheckedTime")),
        ObjectTree.text(report, "remoteKeyID"),
        ObjectTree.text(report, "detail"),
        ObjectTree.text(report, "cause"),
        interval.isInt() ? interval.intValue() : null,
        constant(PluginRole.class, report, "role"),
        ObjectTree.text(report, "lease"),
        ObjectTree.each(report.path("unreadableOldKeys"), JsonNode::asText));
  }

  /** Our enums are written in JSON as their constants in title case; null for any other word. */
  private static <E extends Enum<E>> @Nullable E constant(
      Class<E> type, JsonNode object, String field) {
    var word = object.path(field).asText("");
    for (var constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(word)) {
        return constant;
      }
    }
    return null;
  }
}
