// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.LineReport;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.base.kmsreport.TypedReport;
import io.krypton.base.kmsreport.UnreadableKeys;
import io.krypton.operator.kmshealth.input.ReportParser;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a reporter writes is what the aggregator reads through the types of the API. */
class ReportRoundTripTest {
  private static final Instant TIME = Instant.parse("2026-05-08T12:34:56Z");
  private static final NodeReport REPORT =
      NodeReport.of(
          "master-1",
          Duration.ofSeconds(90),
          new LeaseName("krypton-system", "kms-kmshealth-master-1"),
          List.of(
              PluginReport.healthy(KeyId.of(1), TIME, "a key / with ümlaut")
                  .withRole(ReportedRole.WRITE)
                  .withUnreadableKeys(
                      UnreadableKeys.named(Stream.of("old", "older").map(KeyHash::label)),
                      "cannot decrypt data of an older key"),
              PluginReport.failing(
                      KeyId.of(2), ReportedHealth.UNHEALTHY, TIME, "k", "NotOk", "no = yes")
                  .withRole(ReportedRole.READ),
              PluginReport.failing(
                  KeyId.of(10), ReportedHealth.ERROR, TIME, null, "SocketMissing", "gone")));

  private final JsonMapper json = new JsonMapper();

  @Test
  void a_condition_is_read_as_it_was_meant() {
    var condition = json.convertValue(LineReport.condition(REPORT, TIME), Condition.class);
    var read = check(List.of(condition), List.of(), true);
    checkWhatIsNew(read, true);
  }

  @Test
  void typed_entries_are_read_as_they_were_meant() {
    for (var schema : TypedReport.Schema.values()) {
      var entries = new ArrayList<HealthReport>();
      for (var entry : TypedReport.write(REPORT, schema)) {
        entries.add(json.convertValue(entry.fields(), HealthReport.class));
      }
      var read = check(List.of(), entries, schema != TypedReport.Schema.OPENSHIFT);
      checkWhatIsNew(read, schema == TypedReport.Schema.KMS_HEALTH);
    }
  }

  private static void checkWhatIsNew(NodeReport read, boolean told) {
    var plugins = read.plugins().values();
    assertThat(plugins)
        .extracting(plugin -> plugin.role())
        .containsExactly(told ? ReportedRole.WRITE : null, told ? ReportedRole.READ : null, null);
    assertThat(plugins)
        .extracting(plugin -> plugin.lease())
        .containsOnly(told ? new LeaseName("krypton-system", "kms-kmshealth-master-1") : null);
    assertThat(plugins)
        .extracting(plugin -> plugin.unreadableKeys())
        .containsExactly(
            told
                ? new UnreadableKeys(new TreeSet<>(Set.of(KeyHash.of("old"), KeyHash.of("older"))))
                : null,
            null,
            null);
  }

  private static NodeReport check(
      List<Condition> conditions, List<HealthReport> entries, boolean withCause) {
    var read = Objects.requireNonNull(ReportParser.parse(conditions, entries).get("master-1"));

    assertThat(read.malformed()).isFalse();
    assertThat(read.plugins().values())
        .extracting(plugin -> plugin.health())
        .containsExactly(ReportedHealth.HEALTHY, ReportedHealth.UNHEALTHY, ReportedHealth.ERROR);
    assertThat(read.plugins().values())
        .extracting(plugin -> plugin.remoteKeyId())
        .containsExactly("a key / with ümlaut", "k", null);
    var second = Objects.requireNonNull(read.plugins().get(KeyId.parse("2").orElseThrow()));
    assertThat(second.lastChecked()).isEqualTo(TIME);
    assertThat(second.detail()).isEqualTo("no = yes");
    assertThat(second.cause()).isEqualTo(withCause ? "NotOk" : null);
    assertThat(second.interval()).isEqualTo(withCause ? Duration.ofSeconds(90) : null);
    return read;
  }
}
