// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.LineReport;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportLocation;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.base.kmsreport.TypedEntry;
import io.krypton.base.kmsreport.TypedReport;
import io.krypton.base.kmsreport.TypedReport.Schema;
import io.krypton.base.kmsreport.UnreadableKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A report that a reporter writes, stored by the API server as JSON, is the evidence that the
 * aggregator gets. The rules of the format are tested next to it, in {@code base}.
 */
class ReportParserTest {
  private static final String NODE = "master-1";
  private static final Instant TIME = Instant.parse("2026-05-08T12:34:56Z");
  private static final NodeReport REPORT =
      NodeReport.of(
          NODE,
          Duration.ofSeconds(90),
          new LeaseName("krypton-system", ReportNames.lease("kmshealth", NODE)),
          List.of(
              PluginReport.healthy(KeyId.of(1), TIME, "a key / with ümlaut")
                  .withRole(ReportedRole.WRITE)
                  .withUnreadableKeys(
                      UnreadableKeys.named(
                          Stream.of(KeyHash.of("old").text(), KeyHash.of("older").text())),
                      "cannot decrypt data of an older key"),
              PluginReport.failing(
                      KeyId.of(2), ReportedHealth.UNHEALTHY, TIME, "k", "NotOk", "no = yes")
                  .withRole(ReportedRole.READ),
              PluginReport.failing(
                  KeyId.of(10), ReportedHealth.ERROR, TIME, null, "SocketMissing", "gone")));

  private final JsonMapper json = new JsonMapper();

  @Test
  void a_condition_is_read_as_it_was_written() {
    var condition = json.convertValue(LineReport.condition(REPORT, TIME), Condition.class);

    assertEvidence(ReportParser.parse(List.of(condition), List.of()).get(NODE));
  }

  @Test
  void typed_entries_are_read_as_they_were_written() {
    assertEvidence(
        ReportParser.parse(List.of(), stored(TypedReport.write(REPORT, Schema.KMS_HEALTH)))
            .get(NODE));
  }

  @Test
  void what_openshift_has_no_field_for_is_absent() {
    var read =
        Objects.requireNonNull(
            ReportParser.parse(List.of(), stored(TypedReport.write(REPORT, Schema.OPENSHIFT)))
                .get(NODE));

    assertThat(read.plugins()).hasSameSizeAs(REPORT.plugins());
    assertThat(read.hasRoles()).isFalse();
    assertThat(read.lease()).isEmpty();
    assertThat(read.interval()).isEmpty();
    assertThat(read.plugins().values()).allMatch(plugin -> plugin.cause() == null);
    assertThat(read.plugins().values())
        .extracting(PluginReport::health)
        .containsExactly(ReportedHealth.HEALTHY, ReportedHealth.UNHEALTHY, ReportedHealth.ERROR);
  }

  @Test
  void an_unknown_status_or_no_time_makes_the_entry_malformed() throws Exception {
    for (var entry :
        List.of(
            "{'nodeName':'a','keyID':'2','status':'Fine','lastCheckedTime':'%s'}".formatted(TIME),
            "{'nodeName':'a','keyID':'2','lastCheckedTime':'%s'}".formatted(TIME),
            "{'nodeName':'a','keyID':'2','status':'Healthy'}")) {
      var stored = json.readValue(entry.replace('\'', '"'), HealthReport.class);

      var read = Objects.requireNonNull(ReportParser.parse(List.of(), List.of(stored)).get("a"));

      assertThat(read.malformed()).isFalse();
      assertThat(read.has(ReportedHealth.MALFORMED)).as(entry).isTrue();
    }
  }

  @Test
  void a_node_that_reports_in_both_locations_is_one_node() {
    var condition = json.convertValue(LineReport.condition(REPORT, TIME), Condition.class);
    var entries = stored(TypedReport.write(REPORT, Schema.KMS_HEALTH));

    var reports = ReportParser.parse(List.of(condition), entries);

    assertThat(reports).containsOnlyKeys(NODE);
    assertThat(Objects.requireNonNull(reports.get(NODE)).locations())
        .containsOnlyKeys(ReportLocation.CONDITION, ReportLocation.TYPED_LIST);
  }

  @Test
  void conditions_of_others_are_no_reports() {
    var foreign = Condition.of("KMSPluginsDegraded", ConditionStatus.TRUE, "X", "keyID=1");

    assertThat(ReportParser.parse(List.of(foreign), List.of())).isEmpty();
  }

  private List<HealthReport> stored(List<TypedEntry> entries) {
    return entries.stream()
        .map(entry -> json.convertValue(entry.fields(), HealthReport.class))
        .toList();
  }

  private static void assertEvidence(@Nullable NodeReport read) {
    assertThat(read).isEqualTo(REPORT);
    var evidence = new NodeEvidence(read, null);
    assertThat(evidence.newest()).contains(TIME);
    assertThat(evidence.staleThreshold()).isEqualTo(Duration.ofMinutes(6));
    assertThat(evidence.fingerprint()).contains("2@" + TIME);
  }
}
