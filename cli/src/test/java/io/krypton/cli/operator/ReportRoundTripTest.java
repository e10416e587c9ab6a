package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.agent.reporter.report.ConditionFormat;
import io.krypton.agent.reporter.report.FieldManager;
import io.krypton.agent.reporter.report.LeaseApply;
import io.krypton.agent.reporter.report.NodeHealthReport;
import io.krypton.agent.reporter.report.PluginHealthReport;
import io.krypton.agent.reporter.report.ReportTarget;
import io.krypton.agent.reporter.report.TypedFormat;
import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.LeaseName;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.base.kmsreport.UnreadableKeys;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.HealthClass;
import io.krypton.kms.health.KeyIdHash;
import io.krypton.operator.kmshealth.input.ReportParser;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the reporter writes is what the aggregator reads; the two share no code. */
class ReportRoundTripTest {
  private static final Instant TIME = Instant.parse("2026-05-08T12:34:56Z");
  private static final NodeHealthReport REPORT =
      new NodeHealthReport(
          "master-1",
          Duration.ofSeconds(90),
          "krypton-system/kms-kmshealth-master-1",
          List.of(
              new PluginHealthReport(
                  BigInteger.ONE,
                  HealthClass.HEALTHY,
                  TIME,
                  "a key / with ümlaut",
                  null,
                  "cannot decrypt data of an older key",
                  ProviderRole.WRITE,
                  List.of(KeyIdHash.of("old"), KeyIdHash.of("older"))),
              new PluginHealthReport(
                      BigInteger.TWO, HealthClass.UNHEALTHY, TIME, "k", "NotOk", "no = yes")
                  .withRole(ProviderRole.READ),
              new PluginHealthReport(
                  BigInteger.TEN, HealthClass.ERROR, TIME, null, "SocketMissing", "gone")));

  private final JsonMapper json = new JsonMapper();

  @Test
  void a_condition_is_read_as_it_was_meant() throws Exception {
    var condition = json.treeToValue(ConditionFormat.condition(REPORT, TIME), Condition.class);
    var read = check(List.of(condition), List.of(), true);
    checkWhatIsNew(read, true);
  }

  @Test
  void typed_entries_are_read_as_they_were_meant() throws Exception {
    for (var schema : TypedFormat.Schema.values()) {
      var entries = new ArrayList<HealthReport>();
      for (var entry : TypedFormat.entries(REPORT, schema)) {
        entries.add(json.treeToValue(entry, HealthReport.class));
      }
      var read = check(List.of(), entries, schema != TypedFormat.Schema.OPENSHIFT);
      checkWhatIsNew(read, schema == TypedFormat.Schema.KMS_HEALTH);
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

  @Test
  void names_of_managers_and_leases_are_the_same_on_both_sides() {
    for (var node : List.of("master-1", "a".repeat(108), "a".repeat(109), "a".repeat(253))) {
      assertThat(ReportNames.fieldManager(node)).isEqualTo(FieldManager.of(node));
      for (var reportTarget : ReportTarget.values()) {
        assertThat(ReportNames.lease(reportTarget.value(), node))
            .isEqualTo(LeaseApply.nameOf(reportTarget, node));
      }
    }
  }
}
