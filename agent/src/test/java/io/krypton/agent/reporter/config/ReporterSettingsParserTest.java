// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.config.ReporterSettings.KeyIdFormat;
import io.krypton.agent.reporter.config.ReporterSettings.PluginSocket;
import io.krypton.agent.reporter.config.ReporterSettings.ReportFormat;
import io.krypton.agent.reporter.config.ReporterSettingsParser.Parsed;
import io.krypton.base.http.BindAddress;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.settings.SettingSources;
import io.krypton.base.settings.SettingsFile;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReporterSettingsParserTest {
  private static final String SOCKET = "unix:///var/run/kmsplugin/kms-2.sock";
  private static final String MUST_MATCH =
      " must match ^unix:///var/run/kmsplugin/kms-(\\d+)\\.sock$ or be <keyID>=unix:///<path>";

  @Test
  void two_settings_are_enough_and_the_rest_has_defaults() {
    var settings = valid(Map.of("kms-sockets", SOCKET, "node-name", "master-0")).settings();

    assertThat(settings.sockets()).extracting(PluginSocket::keyId).containsExactly(KeyId.of(2));
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.readTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(settings.writeTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(settings.kubeconfig()).isEmpty();
    assertThat(settings.target()).isEqualTo(ReportTarget.KMSHEALTH);
    assertThat(settings.reportAs()).isEqualTo(ReportFormat.CONDITION);
    assertThat(settings.heartbeat()).isEqualTo(Heartbeat.LEASE);
    assertThat(settings.leaseNamespace()).isEqualTo("krypton-system");
    assertThat(settings.refreshInterval()).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.deepInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.kmsApi()).isEqualTo(KmsApiVersion.V2);
    assertThat(settings.keyIdFormat()).isEqualTo(KeyIdFormat.SHA256);
    assertThat(settings.encryptionConfig()).isEmpty();
    assertThat(settings.lease()).hasToString("krypton-system/kms-kmshealth-master-0");
    assertThat(settings.listen()).isEqualTo(BindAddress.parse("127.0.0.1:9811").orElseThrow());
  }

  @Test
  void all_errors_are_reported_in_the_order_of_the_flags() {
    assertThat(
            errors(
                Map.ofEntries(
                    Map.entry("kms-sockets", SOCKET + ",x," + SOCKET + ",02=unix:///a,3=tcp://h"),
                    Map.entry("interval", "0s"),
                    Map.entry("read-timeout", "soon"),
                    Map.entry("write-timeout", "-1s"),
                    Map.entry("refresh-interval", "0"),
                    Map.entry("deep-interval", "-5m"),
                    Map.entry("node-name", "Master_0"),
                    Map.entry("target", "pod"),
                    Map.entry("report-as", "json"),
                    Map.entry("heartbeat", "none"),
                    Map.entry("kms-api", "v3"),
                    Map.entry("key-id-format", "md5"),
                    Map.entry("lease-namespace", "a.b"),
                    Map.entry("listen", "example.com:80"))))
        .containsExactly(
            "--kms-sockets entry \"x\"" + MUST_MATCH,
            "--kms-sockets entry \"3=tcp://h\": unsupported scheme \"tcp\", only unix is supported",
            "--kms-sockets entry \"" + SOCKET + "\" is duplicated",
            "--kms-sockets entry \"02=unix:///a\" repeats keyID 2",
            "--node-name \"Master_0\" must be a lowercase RFC 1123 subdomain of at most 253"
                + " characters",
            "--interval \"0s\" must be positive",
            "--read-timeout \"soon\" is not a duration, write for example 30s",
            "--write-timeout \"-1s\" must be positive",
            "--target \"pod\" must be one of kmshealth, kubeapiserver, openshiftapiserver,"
                + " authentication",
            "--report-as \"json\" must be one of condition, typed",
            "--heartbeat \"none\" must be one of lease, condition",
            "--lease-namespace \"a.b\" must be a lowercase RFC 1123 label of at most 63 characters",
            "--refresh-interval \"0\" must be positive",
            "--deep-interval \"-5m\" must not be negative",
            "--kms-api \"v3\" must be one of v1, v2",
            "--key-id-format \"md5\" must be one of raw, sha256",
            "--listen \"example.com:80\" must be <IP address>:<port>, or 0 for none");
  }

  @Test
  void an_interval_that_staleness_does_not_cover_is_refused() {
    assertThat(valid(with("interval", "15m")).settings().interval())
        .isEqualTo(Duration.ofMinutes(15));
    assertThat(errors(with("interval", "15m1s")))
        .containsExactly(
            "--interval \"15m1s\" must be at most 15m: a reporter counts as stale after four"
                + " intervals, and after an hour in any case");
  }

  @Test
  void a_report_that_is_its_own_heartbeat_names_no_lease() {
    var settings =
        valid(with("heartbeat", "condition", "encryption-provider-config", "/enc")).settings();

    assertThat(settings.lease()).isNull();
    assertThat(settings.encryptionConfig()).isEqualTo("/enc");
  }

  @Test
  void nothing_at_all_lacks_sockets_and_node_name() {
    assertThat(errors(Map.of()))
        .containsExactly("--kms-sockets is required, at least one", "--node-name is required");
  }

  @ParameterizedTest
  @CsvSource({
    "' unix:///var/run/kmsplugin/kms-2.sock'",
    "'unix:///var/run/kmsplugin/kms-2.sock '",
    "unix:///var/run/kmsplugin/kms-.sock",
    "unix:///run/kmsplugin/kms-2.sock",
    "unix:///var/run/kmsplugin/kms-2.sock2",
    "=unix:///a",
    "a=unix:///a",
    "-1=unix:///a",
  })
  void an_entry_is_taken_as_it_is_written(String entry) {
    assertThat(errors(Map.of("kms-sockets", entry, "node-name", "n")))
        .containsExactly("--kms-sockets entry \"" + entry + "\"" + MUST_MATCH);
  }

  @Test
  void a_comma_at_the_end_is_an_entry_too() {
    assertThat(errors(Map.of("kms-sockets", SOCKET + ",", "node-name", "n")))
        .containsExactly("--kms-sockets entry \"\"" + MUST_MATCH);
  }

  @Test
  void the_long_form_takes_any_path_and_abstract_names() {
    var settings =
        valid(Map.of("kms-sockets", "7=unix:///tmp/k.sock,8=unix:///@kms", "node-name", "n"))
            .settings();

    assertThat(settings.sockets())
        .extracting(socket -> socket.endpoint().address())
        .containsExactly("/tmp/k.sock", "@kms");
  }

  @Test
  void the_node_name_may_come_from_the_downward_api() {
    var layers =
        new SettingSources(
            "KRYPTON_",
            Map.of("kms-sockets", SOCKET),
            Map.of("NODE_NAME", "worker.example"),
            SettingsFile.NONE);

    assertThat(ReporterSettingsParser.parse(layers))
        .isInstanceOfSatisfying(
            Parsed.Valid.class,
            valid -> assertThat(valid.settings().nodeName()).isEqualTo("worker.example"));
  }

  @Test
  void a_read_timeout_beyond_the_interval_is_cut_with_a_warning() {
    var parsed = valid(with("interval", "2s"));

    assertThat(parsed.settings().readTimeout()).isEqualTo(Duration.ofSeconds(2));
    assertThat(parsed.warnings())
        .containsExactly("--read-timeout is longer than --interval and was cut to it");
  }

  @Test
  void typed_reports_of_v1_plugins_become_conditions_on_openshift() {
    var parsed = valid(with("report-as", "typed", "kms-api", "v1", "target", "kubeapiserver"));

    assertThat(parsed.settings().reportAs()).isEqualTo(ReportFormat.CONDITION);
    assertThat(parsed.warnings()).hasSize(1);
  }

  @Test
  void more_plugins_than_a_report_has_room_for_are_refused() {
    assertThat(valid(with("kms-sockets", sockets(64))).settings().sockets()).hasSize(64);
    assertThat(errors(with("kms-sockets", sockets(65))))
        .containsExactly(
            "--kms-sockets names 65 plugins, but a report has room for 64: leave out those that no"
                + " EncryptionConfiguration uses any more");
  }

  private static String sockets(int count) {
    return IntStream.range(0, count)
        .mapToObj("%1$d=unix:///k%1$d"::formatted)
        .collect(Collectors.joining(","));
  }

  @Test
  void an_error_names_where_the_value_comes_from() {
    var file = new SettingsFile("--config \"f\"", Map.of("heartbeat", "none", "intervall", "1s"));
    var sources =
        new SettingSources(
            "KRYPTON_", with("kms-api", "v3"), Map.of("KRYPTON_INTERVAL", "soon"), file);

    assertThat(ReporterSettingsParser.parse(sources))
        .isEqualTo(
            new Parsed.Invalid(
                List.of(
                    "--config \"f\": \"intervall\" is not a setting; did you mean 'interval'?",
                    "--interval \"soon\" is not a duration, write for example 30s (from"
                        + " KRYPTON_INTERVAL)",
                    "--heartbeat \"none\" must be one of lease, condition (from --config \"f\")",
                    "--kms-api \"v3\" must be one of v1, v2")));
  }

  private static Map<String, String> with(String... more) {
    var flags = new HashMap<>(Map.of("kms-sockets", SOCKET, "node-name", "n"));
    for (int i = 0; i < more.length; i += 2) {
      flags.put(more[i], more[i + 1]);
    }
    return flags;
  }

  private static Parsed.Valid valid(Map<String, String> flags) {
    return (Parsed.Valid) parse(flags);
  }

  private static List<String> errors(Map<String, String> flags) {
    return ((Parsed.Invalid) parse(flags)).errors();
  }

  private static Parsed parse(Map<String, String> flags) {
    return ReporterSettingsParser.parse(
        new SettingSources("KRYPTON_", flags, Map.of(), SettingsFile.NONE));
  }
}
