package io.krypton.agent.reporter.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.HealthClass;
import io.krypton.kms.health.KeyIdHash;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FormatsTest {
  private static final Instant CHECKED = Instant.parse("2026-05-08T12:34:56.789Z");

  @Test
  void a_condition_has_one_line_per_plugin_newest_key_id_first() {
    var report =
        report(
            plugin(1, HealthClass.HEALTHY, "kek-1", null, null),
            plugin(
                10,
                HealthClass.UNHEALTHY,
                "kek-9f2c",
                "NotOk",
                "credential lacks decrypt permission"),
            plugin(9, HealthClass.ERROR, null, "SocketMissing", null));

    assertThat(
            ConditionFormat.condition(report, Instant.parse("2026-05-08T12:00:00.9Z"))
                .toPrettyString())
        .isEqualTo(
            """
            {
              "type" : "KMSHealthReporter_master-0",
              "status" : "False",
              "lastTransitionTime" : "2026-05-08T12:00:00Z",
              "reason" : "Unhealthy",
              "message" : "keyID=10 status=unhealthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=kek-9f2c cause=NotOk interval=30s detail=credential lacks decrypt permission\\nkeyID=9 status=unreachable lastChecked=2026-05-08T12:34:56Z cause=SocketMissing interval=30s\\nkeyID=1 status=healthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=kek-1 interval=30s"
            }""");
  }

  @Test
  void a_line_names_the_role_the_lease_and_the_older_keys_that_cannot_be_read() {
    var healthy =
        new PluginHealthReport(
            BigInteger.TWO,
            HealthClass.HEALTHY,
            CHECKED,
            "kek",
            null,
            "cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND",
            ProviderRole.WRITE,
            List.of(KeyIdHash.of("1"), KeyIdHash.of("2")));
    var failing = plugin(1, HealthClass.UNHEALTHY, "k", "NotOk", "no").withRole(ProviderRole.READ);
    var report =
        new NodeHealthReport(
            "master-0",
            Duration.ofSeconds(30),
            "krypton-system/kms-kmshealth-master-0",
            List.of(failing, healthy));

    assertThat(ConditionFormat.message(report))
        .isEqualTo(
            """
            keyID=2 status=healthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=kek role=write \
            interval=30s lease=krypton-system/kms-kmshealth-master-0 \
            oldKeys=unreadable:%s,%s \
            detail=cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND
            keyID=1 status=unhealthy lastChecked=2026-05-08T12:34:56Z remoteKeyID=k cause=NotOk \
            role=read interval=30s lease=krypton-system/kms-kmshealth-master-0 detail=no"""
                .formatted(KeyIdHash.of("1").substring(7), KeyIdHash.of("2").substring(7)));
    assertThat(report.conditionState()).isEqualTo(NodeHealthReport.ConditionState.UNHEALTHY);
    assertThat(report(healthy).conditionState())
        .isEqualTo(NodeHealthReport.ConditionState.AS_EXPECTED);
    assertThat(TypedFormat.entries(report, TypedFormat.Schema.KMS_HEALTH).getFirst().toString())
        .isEqualTo(
            """
            {"nodeName":"master-0","keyID":"2","status":"Healthy",\
            "lastCheckedTime":"2026-05-08T12:34:56Z","remoteKeyID":"kek",\
            "detail":"cannot decrypt data of older key sha256:6b86b273ff34: NOT_FOUND",\
            "intervalSeconds":30,"role":"Write","lease":"krypton-system/kms-kmshealth-master-0",\
            "unreadableOldKeys":["%s","%s"]}"""
                .formatted(KeyIdHash.of("1"), KeyIdHash.of("2")));
  }

  @ParameterizedTest
  @EnumSource(names = {"EARLIER_KMS_HEALTH", "OPENSHIFT"})
  void other_schemas_get_nothing_that_they_do_not_know(TypedFormat.Schema schema) {
    var plugin =
        new PluginHealthReport(
            BigInteger.TWO,
            HealthClass.HEALTHY,
            CHECKED,
            "kek",
            null,
            "gone",
            ProviderRole.WRITE,
            List.of(KeyIdHash.of("1")));
    var report = new NodeHealthReport("n", Duration.ofSeconds(30), "ns/lease", List.of(plugin));

    assertThat(TypedFormat.entries(report, schema).toString())
        .contains("\"detail\":\"gone\"")
        .doesNotContain("role", "lease", "unreadableOldKeys");
  }

  @Test
  void only_a_healthy_plugin_speaks_of_its_older_keys_and_only_then_it_has_a_detail() {
    assertThatThrownBy(() -> plugin(1, HealthClass.HEALTHY, "k", null, "detail"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                new PluginHealthReport(
                    BigInteger.ONE,
                    HealthClass.ERROR,
                    CHECKED,
                    "k",
                    "Timeout",
                    null,
                    null,
                    List.of(KeyIdHash.of("1"))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_remote_key_id_is_percent_encoded_where_it_would_break_the_line() {
    var report = report(plugin(1, HealthClass.HEALTHY, "arn:aws:kms/k y%=\u00e4\n\"é", null, null));

    assertThat(ConditionFormat.message(report))
        .contains("remoteKeyID=arn:aws:kms/k%20y%25=%C3%A4%0A%22%C3%A9 interval=30s");
  }

  @Test
  void the_status_speaks_for_all_plugins_and_unhealthy_wins_over_unreachable() {
    var good = plugin(1, HealthClass.HEALTHY, "k", null, null);
    var bad = plugin(2, HealthClass.UNHEALTHY, "k", "NotOk", null);
    var gone = plugin(3, HealthClass.ERROR, "k", "Timeout", null);

    assertThat(report(good).conditionState())
        .isEqualTo(NodeHealthReport.ConditionState.AS_EXPECTED);
    assertThat(report(good, gone).conditionState())
        .isEqualTo(NodeHealthReport.ConditionState.UNREACHABLE);
    assertThat(report(good, gone, bad).conditionState())
        .isEqualTo(NodeHealthReport.ConditionState.UNHEALTHY);
  }

  @Test
  void a_message_over_the_limit_loses_detail_first_in_length_then_whole() {
    var shortened = ConditionFormat.message(manyFailing(110, 0));
    assertThat(shortened.length()).isLessThanOrEqualTo(32_000);
    assertThat(shortened).contains(" detail=").contains("...");
    assertThat(shortened.lines()).hasSize(110);

    var without = ConditionFormat.message(manyFailing(110, 140));
    assertThat(without.length()).isLessThanOrEqualTo(32_000);
    assertThat(without).doesNotContain(" detail=");
  }

  @Test
  void shortening_never_cuts_a_character_in_two() {
    var plugins = new ArrayList<PluginHealthReport>();
    for (int i = 0; i < 110; i++) {
      plugins.add(plugin(i, HealthClass.ERROR, null, "Timeout", "\ud83d\udd11".repeat(256)));
    }
    var message = ConditionFormat.message(report(plugins.toArray(PluginHealthReport[]::new)));

    assertThat(message).contains("detail=" + "\ud83d\udd11".repeat(61) + "...\n");
  }

  @Test
  void a_typed_entry_of_our_own_schema_has_cause_and_interval() {
    var report =
        report(
            plugin(2, HealthClass.HEALTHY, "kek", null, null),
            plugin(1, HealthClass.ERROR, null, "Timeout", "no answer"));

    assertThat(TypedFormat.entries(report, TypedFormat.Schema.KMS_HEALTH).toString())
        .isEqualTo(
            """
            [{"nodeName":"master-0","keyID":"2","status":"Healthy",\
            "lastCheckedTime":"2026-05-08T12:34:56Z","remoteKeyID":"kek","intervalSeconds":30}, \
            {"nodeName":"master-0","keyID":"1","status":"Error",\
            "lastCheckedTime":"2026-05-08T12:34:56Z","detail":"no answer","cause":"Timeout",\
            "intervalSeconds":30}]""");
  }

  @Test
  void a_typed_entry_for_openshift_always_has_a_remote_key_id_and_nothing_of_ours() {
    var report = report(plugin(1, HealthClass.ERROR, null, "Timeout", null));

    assertThat(TypedFormat.entries(report, TypedFormat.Schema.OPENSHIFT).toString())
        .isEqualTo(
            """
            [{"nodeName":"master-0","keyID":"1","status":"Error",\
            "lastCheckedTime":"2026-05-08T12:34:56Z","remoteKeyID":"unknown"}]""");
  }

  @Test
  void a_healthy_plugin_without_key_id_is_never_called_unknown_on_openshift() {
    var report = report(plugin(1, HealthClass.HEALTHY, null, null, null));

    assertThat(TypedFormat.entries(report, TypedFormat.Schema.OPENSHIFT)).isEmpty();
  }

  private static NodeHealthReport manyFailing(int count, int longKeyIds) {
    var plugins = new ArrayList<PluginHealthReport>();
    for (int i = 0; i < count; i++) {
      var keyId = "k".repeat(1 + longKeyIds);
      plugins.add(plugin(i, HealthClass.ERROR, keyId, "Timeout", "x".repeat(256)));
    }
    return report(plugins.toArray(PluginHealthReport[]::new));
  }

  private static PluginHealthReport plugin(
      long keyId,
      HealthClass health,
      @Nullable String remoteKeyId,
      @Nullable String cause,
      @Nullable String detail) {
    return new PluginHealthReport(
        BigInteger.valueOf(keyId), health, CHECKED, remoteKeyId, cause, detail);
  }

  private static NodeHealthReport report(PluginHealthReport... plugins) {
    return new NodeHealthReport("master-0", Duration.ofSeconds(30), null, List.of(plugins));
  }
}
