// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static io.krypton.base.kmsreport.Samples.CHECKED;
import static io.krypton.base.kmsreport.Samples.INTERVAL;
import static io.krypton.base.kmsreport.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.kmsreport.TypedReport.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bytes that users and other readers see. */
class WrittenReportTest {
  private static final String HEX_1 = KeyHash.of("1").hex();
  private static final String HEX_2 = KeyHash.of("2").hex();
  private static final NodeReport FULL =
      NodeReport.of(
          "master-0",
          INTERVAL,
          new LeaseName("krypton-system", "kms-kmshealth-master-0"),
          List.of(
              PluginReport.failing(
                      KeyId.of(1), ReportedHealth.UNHEALTHY, CHECKED, "k", "NotOk", "no")
                  .withRole(ReportedRole.READ),
              PluginReport.healthy(KeyId.of(2), CHECKED.plusMillis(789), "kek")
                  .withRole(ReportedRole.WRITE)
                  .withUnreadableKeys(
                      UnreadableKeys.named(Stream.of("1", "2").map(KeyHash::of).map(KeyHash::text)),
                      "cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND")));

  @Test
  void a_condition_has_one_line_per_plugin_newest_key_id_first() {
    var report =
        report(
            Samples.healthy(1),
            PluginReport.failing(
                KeyId.of(10),
                ReportedHealth.UNHEALTHY,
                CHECKED,
                "kek-9f2c",
                "NotOk",
                "credential lacks decrypt permission"),
            PluginReport.failing(
                KeyId.of(9), ReportedHealth.ERROR, CHECKED, null, "SocketMissing", null));

    assertThat(LineReport.condition(report, Instant.parse("2026-05-08T12:00:00.9Z")))
        .hasToString(
            """
            {type=KMSHealthReporter_master-0, status=False, \
            lastTransitionTime=2026-05-08T12:00:00Z, reason=Unhealthy, \
            message=keyID=10 status=unhealthy lastChecked=2026-05-08T12:34:56Z \
            remoteKeyID=kek-9f2c cause=NotOk interval=30s \
            detail=credential lacks decrypt permission
            keyID=9 status=unreachable lastChecked=2026-05-08T12:34:56Z cause=SocketMissing \
            interval=30s
            keyID=1 status=healthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=kek-1 \
            interval=30s}""");
  }

  @Test
  void a_line_names_the_role_the_lease_and_the_older_keys_that_cannot_be_read() {
    assertThat(LineReport.write(FULL))
        .isEqualTo(
            """
            keyID=2 status=healthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=kek role=write \
            interval=30s lease=krypton-system/kms-kmshealth-master-0 \
            oldKeys=unreadable:%s,%s \
            detail=cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND
            keyID=1 status=unhealthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=k cause=NotOk \
            role=read interval=30s lease=krypton-system/kms-kmshealth-master-0 detail=no"""
                .formatted(HEX_1, HEX_2));
  }

  @Test
  void a_typed_entry_has_the_same_fields() {
    assertThat(TypedReport.write(FULL, Schema.KMS_HEALTH).getFirst().fields())
        .hasToString(
            """
            {nodeName=master-0, keyID=2, status=Healthy, lastCheckedTime=2026-05-08T12:34:56Z, \
            remoteKeyID=kek, \
            detail=cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND, \
            intervalSeconds=30, role=Write, lease=krypton-system/kms-kmshealth-master-0, \
            unreadableOldKeys=[sha256:%s, sha256:%s]}"""
                .formatted(HEX_1, HEX_2));
    assertThat(TypedReport.write(FULL, Schema.KMS_HEALTH).getLast().fields())
        .hasToString(
            """
            {nodeName=master-0, keyID=1, status=Unhealthy, lastCheckedTime=2026-05-08T12:34:56Z, \
            remoteKeyID=k, detail=no, cause=NotOk, intervalSeconds=30, role=Read, \
            lease=krypton-system/kms-kmshealth-master-0}""");
  }

  @ParameterizedTest
  @EnumSource(names = {"EARLIER_KMS_HEALTH", "OPENSHIFT"})
  void other_schemas_get_nothing_that_they_do_not_know(Schema schema) {
    assertThat(TypedReport.write(FULL, schema))
        .allSatisfy(
            entry ->
                assertThat(entry.fields())
                    .containsKey("detail")
                    .doesNotContainKeys("role", "lease", "unreadableOldKeys"));
  }

  @Test
  void a_typed_entry_for_openshift_always_has_a_remote_key_id_and_nothing_of_ours() {
    var report =
        report(
            PluginReport.failing(
                KeyId.of(1), ReportedHealth.ERROR, CHECKED, null, "Timeout", null));

    assertThat(TypedReport.write(report, Schema.OPENSHIFT).getFirst().fields())
        .hasToString(
            "{nodeName=master-0, keyID=1, status=Error, lastCheckedTime=2026-05-08T12:34:56Z,"
                + " remoteKeyID=unknown}");
  }

  @Test
  void a_healthy_plugin_without_key_id_is_never_called_unknown_on_openshift() {
    var report = report(PluginReport.healthy(KeyId.of(1), CHECKED, null));

    assertThat(TypedReport.write(report, Schema.OPENSHIFT)).isEmpty();
  }

  @Test
  void a_remote_key_id_is_percent_encoded_where_it_would_break_the_line() {
    var report =
        report(PluginReport.healthy(KeyId.of(1), CHECKED, "arn:aws:kms/k y%=\u00e4\n\"\u00e9"));

    assertThat(LineReport.write(report))
        .contains("remoteKeyID=arn:aws:kms/k%20y%25=%C3%A4%0A%22%C3%A9 interval=30s");
  }

  @Test
  void the_status_speaks_for_all_plugins_and_unhealthy_wins_over_unreachable() {
    var good = Samples.healthy(1);
    var bad = Samples.failing(2, ReportedHealth.UNHEALTHY, "NotOk");
    var gone = Samples.failing(3, ReportedHealth.ERROR, "Timeout");

    assertThat(report(good).outcome()).isEqualTo(NodeReport.Outcome.AS_EXPECTED);
    assertThat(report(good, gone).outcome()).isEqualTo(NodeReport.Outcome.UNREACHABLE);
    assertThat(report(good, gone, bad).outcome()).isEqualTo(NodeReport.Outcome.UNHEALTHY);
  }

  @Test
  void a_message_over_the_limit_loses_detail_first_in_length_then_whole_then_key_ids() {
    var shortened = LineReport.write(manyFailing(200, "x".repeat(256)));
    assertThat(shortened).contains(" detail=" + "x".repeat(61) + "...").contains("=kkk");

    var without = LineReport.write(manyFailing(350, "x".repeat(256)));
    assertThat(without).doesNotContain(" detail=").contains("=kkk");

    var hashed = LineReport.write(manyFailing(1024, "x".repeat(256)));
    assertThat(hashed).doesNotContain(" detail=").contains(KeyHash.of("k".repeat(1024)).text());

    assertThat(Stream.of(shortened, without, hashed))
        .allSatisfy(
            message -> {
              assertThat(message.length()).isLessThanOrEqualTo(32_000);
              assertThat(message.lines()).hasSize(ReportLimits.MAX_PLUGINS);
            });
  }

  @Test
  void shortening_never_cuts_a_character_in_two() {
    assertThat(LineReport.write(manyFailing(1, "\ud83d\udd11".repeat(256))))
        .contains("detail=" + "\ud83d\udd11".repeat(61) + "...\n");
  }

  private static NodeReport manyFailing(int keyIdLength, String detail) {
    var plugins = new ArrayList<PluginReport>();
    for (int i = 0; i < ReportLimits.MAX_PLUGINS; i++) {
      plugins.add(
          PluginReport.failing(
              KeyId.of(i),
              ReportedHealth.ERROR,
              CHECKED,
              "k".repeat(keyIdLength),
              "Timeout",
              detail));
    }
    return NodeReport.of("master-0", INTERVAL, null, plugins);
  }

  @Test
  void nobody_writes_a_report_that_readers_call_malformed() {
    var tooMany = LongStream.rangeClosed(0, 64).mapToObj(Samples::healthy).toList();

    assertThatThrownBy(() -> NodeReport.of("n", INTERVAL, null, tooMany))
        .hasMessage("a report is about 1 to 64 plugins, not 65");
    assertThatThrownBy(() -> NodeReport.of("n", INTERVAL, null, List.of()))
        .hasMessage("a report is about 1 to 64 plugins, not 0");
    assertThatThrownBy(() -> report(Samples.healthy(1), Samples.healthy(1)))
        .hasMessage("key id 1 twice");
  }

  @Test
  void only_a_healthy_plugin_speaks_of_its_older_keys_and_only_a_failing_one_has_a_cause() {
    var failing = Samples.failing(1, ReportedHealth.ERROR, "Timeout");

    assertThatThrownBy(() -> failing.withUnreadableKeys(UnreadableKeys.unnamed(), null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Samples.failing(1, ReportedHealth.HEALTHY, "Timeout"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_typed_entry_names_no_more_unreadable_keys_than_the_schema_allows() {
    var keys = UnreadableKeys.named(Stream.of("a", "b", "c", "d", "e").map(KeyHash::label));
    var report = report(Samples.healthy(1).withUnreadableKeys(keys, null));

    assertThat(TypedReport.write(report, Schema.KMS_HEALTH).getFirst().unreadableOldKeys())
        .hasSize(4);
  }
}
