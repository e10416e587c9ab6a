// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.HealthReport.PluginStatus;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthSpec;
import io.krypton.api.kmshealth.KmsHealthStatus;
import io.krypton.api.kmshealth.KmsHealthStatus.EncryptionStatus;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.cli.view.Table;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KmsSummaryTest {
  private static final Instant CHECKED = Instant.parse("2026-05-08T12:34:56Z");

  private static KmsHealthDocument health(KmsHealthStatus status) {
    var health = new KmsHealth();
    health.setStatus(status);
    return document(health);
  }

  private static KmsHealthDocument document(KmsHealth health) {
    return KmsHealthDocument.of(new KubernetesSerialization().convertValue(health, JsonNode.class));
  }

  private static KmsHealthStatus saying(Condition... conditions) {
    return new KmsHealthStatus(List.of(conditions), null, List.of(), "2/3", "7", null, null);
  }

  @ParameterizedTest
  @CsvSource({
    "KMSPluginsDegraded, FALSE, Healthy",
    "KMSPluginsDegraded, TRUE, Degraded",
    "KMSPluginsDegraded, UNKNOWN, Unknown",
    "Degraded, TRUE, Degraded",
    "PlatformDetected, TRUE, Unknown"
  })
  void the_aggregators_condition_is_the_state(
      String type, ConditionStatus status, String expected) {
    var verdict = KmsSummary.of(health(saying(Condition.of(type, status, "PluginError", "why"))));

    assertThat(verdict.state()).isEqualTo(expected);
    assertThat(verdict.nodes()).isEqualTo("2/3");
    assertThat(verdict.key()).isEqualTo("7");
  }

  @Test
  void keys_that_do_not_converge_say_why() {
    var diverged = Condition.of("KMSKeysConverged", ConditionStatus.FALSE, "Diverged", "");
    var converged = Condition.of("KMSKeysConverged", ConditionStatus.TRUE, "Converged", "");

    assertThat(KmsSummary.of(health(saying(diverged))).converged()).isEqualTo("Diverged");
    assertThat(KmsSummary.of(health(saying(converged))).converged()).isEqualTo("True");
  }

  @Test
  void keys_that_stabilize_say_since_when() {
    var words = "Stabilizing since 2026-05-08T12:00:00Z";
    var status =
        new KmsHealthStatus(
            List.of(Condition.of("KMSKeysConverged", ConditionStatus.FALSE, "Stabilizing", "")),
            null,
            List.of(),
            "1/1",
            "1",
            null,
            new Convergence("1", "k", null, null, List.of(), words));

    assertThat(KmsSummary.of(health(status)).converged()).isEqualTo(words);
  }

  @Test
  void old_keys_that_cannot_be_read_are_told_with_what_to_do() {
    var status =
        saying(
            Condition.of("KMSPluginsDegraded", ConditionStatus.FALSE, "AsExpected", ""),
            Condition.of(
                "KMSOldKeyUnreadable",
                ConditionStatus.TRUE,
                "OldKeyUnreadable",
                "node m1 keyID 2"));

    assertThat(KmsViews.nodes(health(status)).heading())
        .contains("node m1 keyID 2")
        .anyMatch(line -> line.startsWith("What next: Data of an older remote key"));
  }

  @Test
  void no_object_and_a_disabled_one_are_told_apart() {
    var off = new KmsHealth();
    var spec = KmsHealthSpec.DEFAULT;
    off.setSpec(
        new KmsHealthSpec(
            false, null, List.of(), null, spec.degradedInertia(), spec.convergedFor(), List.of()));

    assertThat(KmsSummary.of(null).state()).isEqualTo("-");
    assertThat(KmsSummary.of(document(off)).state()).isEqualTo("Off");
  }

  @Test
  void trouble_comes_with_what_to_do_about_each_part_of_it() {
    var joined =
        saying(
            Condition.of(
                "KMSPluginsDegraded", ConditionStatus.TRUE, "PluginErrorAndReporterStale", ""));
    var fine = saying(Condition.of("KMSPluginsDegraded", ConditionStatus.FALSE, "AsExpected", ""));

    assertThat(KmsViews.nodes(health(joined)).heading())
        .filteredOn(line -> line.startsWith("What next: "))
        .hasSize(2);
    assertThat(KmsViews.nodes(health(fine)).heading())
        .noneMatch(line -> line.startsWith("What next: "));
  }

  @Test
  void each_node_has_a_row_whether_or_not_it_reports() {
    var report =
        new HealthReport(
            "m1",
            "7",
            PluginStatus.ERROR,
            CHECKED,
            null,
            null,
            "ConnectionRefused",
            30,
            null,
            null,
            List.of());
    var status =
        new KmsHealthStatus(
            List.of(),
            new EncryptionStatus(List.of(report)),
            List.of(
                new NodeHealth("m1", NodeHealth.State.ERROR, null, null),
                new NodeHealth("m2", NodeHealth.State.MISSING, null, null)),
            "0/2",
            "7",
            null,
            null);

    assertThat(KmsViews.nodes(health(status)).table().lines(new Table.Layout(false, true, false)))
        .containsExactly(
            "NODE   STATE     KEY   ROLE   CAUSE",
            "m1     Error     7     -      ConnectionRefused",
            "m2     Missing   -     -      -");
  }

  @Test
  void reports_of_default_reporters_are_shown_with_all_that_they_say() {
    var lines =
        "keyID=2 status=unhealthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=kek-2 cause=NotOk"
            + " role=write interval=30s detail=vault \u001b[31msealed\n"
            + "keyID=1 status=healthy lastChecked=2026-05-08T12:34:57Z remoteKeyID=kek-1"
            + " interval=30s";
    var json =
        "[{\"keyID\":\"2\",\"kekID\":\"kek-2\",\"status\":\"healthy\","
            + "\"lastChecked\":\"2026-05-08T12:34:58Z\"}]";
    var status =
        new KmsHealthStatus(
            List.of(
                Condition.of("KMSHealthReporter_m1", ConditionStatus.FALSE, "Unhealthy", lines),
                Condition.of("KMSHealthReporter_m9", ConditionStatus.TRUE, "AsExpected", json)),
            null,
            List.of(new NodeHealth("m1", NodeHealth.State.UNHEALTHY, null, null)),
            "0/1",
            "2",
            null,
            null);

    assertThat(KmsViews.nodes(health(status)).table().lines(new Table.Layout(true, true, false)))
        .containsExactly(
            "NODE   STATE       KEY   ROLE    CAUSE   REMOTE-KEY   CHECKED                DETAIL",
            "m1     Unhealthy   2     write   NotOk   kek-2        2026-05-08T12:34:56Z   vault "
                + " [31msealed",
            "m1     Unhealthy   1     -       -       kek-1        2026-05-08T12:34:57Z   -",
            "m9     Healthy     2     -       -       kek-2        2026-05-08T12:34:58Z   -");
  }
}
