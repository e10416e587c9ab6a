// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.config.GateSettingsFile.ProviderSettings;
import io.krypton.agent.gate.config.GateSettingsParser.Parsed;
import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.health.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateSettingsParserTest {
  private static final String FILE = "encryption-provider-config";

  @TempDir Path directory;

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "WAIT, false, EXIT, PT0S, 3",
    "CHECK, false, EXIT, PT10S, 1",
    "SERVE, true, HOLD, PT0S, 3",
  })
  void some_defaults_depend_on_the_command(
      GateMode mode, boolean waitForConfig, OnFatal onFatal, Duration maxWait, int confirmations) {
    var settings = valid(mode, Map.of(FILE, "/c"), Map.of());
    assertThat(settings.waitForConfig()).isEqualTo(waitForConfig);
    assertThat(settings.onFatal()).isEqualTo(onFatal);
    assertThat(settings.maxWait()).isEqualTo(maxWait);
    assertThat(settings.fatalConfirmations()).isEqualTo(confirmations);
    assertThat(settings.readOptions().kmsV1()).isEqualTo(KmsV1Policy.DENY);
    assertThat(settings.listen().getPort()).isEqualTo(9810);
  }

  @Test
  void a_flag_beats_the_environment_which_beats_the_default() {
    var environment =
        Map.of(
            "KRYPTON_GATE_ENCRYPTION_PROVIDER_CONFIG", "/env",
            "KRYPTON_GATE_INTERVAL", "7s",
            "KRYPTON_DEEP_INTERVAL", "1s",
            "KRYPTON_GATE_KMS_V1", "warn");
    var settings = valid(GateMode.SERVE, Map.of("kms-v1", "allow"), environment);
    assertThat(settings.configuration()).hasToString("/env");
    assertThat(settings.interval()).isEqualTo(Duration.ofSeconds(7));
    assertThat(settings.deepInterval()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.readOptions().kmsV1()).isEqualTo(KmsV1Policy.ALLOW);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "true, true", "1, true", "T, true", "TRUE, true", "True, true", "t, true",
    "false, false", "0, false", "F, false", "FALSE, false", "False, false", "f, false",
  })
  void a_bool_flag_takes_the_spellings_of_kube_apiserver(String text, boolean reload) {
    var flags = Map.of(FILE, "/c", "encryption-provider-config-automatic-reload", text);
    assertThat(valid(GateMode.SERVE, flags, Map.of()).readOptions().automaticReload())
        .isEqualTo(reload);
  }

  @Test
  void every_error_is_reported() {
    assertThat(
            errors(
                Map.of(
                    "interval", "soon",
                    "unhealthy-interval", "0s",
                    "config-poll", "11s",
                    "on-fatal", "shrug",
                    "listen", "host:1",
                    "success-threshold", "0",
                    "compat", "openshift",
                    "wait-for-config", "yes")))
        .containsExactlyInAnyOrder(
            "--encryption-provider-config is required",
            "--interval \"soon\" is not a duration, write for example 30s",
            "--unhealthy-interval \"0s\" must be positive",
            "--config-poll \"11s\" must be at most 10s",
            "--on-fatal \"shrug\" must be one of exit, hold, pass",
            "--listen \"host:1\" must be <IP address>:<port>",
            "--success-threshold \"0\" must be a number from 1 to 9999",
            "--compat \"openshift\" must be one of none, kube",
            "--wait-for-config \"yes\" must be one of false, true");
  }

  @Test
  void the_file_tells_of_providers_and_patterns() throws IOException {
    var file =
        write(
            """
            apiVersion: mesh.openkcm.io/v1alpha1
            kind: GateSettings
            fatalPatterns: ["(?i)never again"]
            providers:
              a: {required: false}
              b: {httpHealthz: "http://127.0.0.1:8083/healthz", http500: wait}
            """);
    var document =
        valid(GateMode.WAIT, Map.of(FILE, "/c", "settings", file), Map.of()).settingsFile();
    assertThat(document.fatalPatterns().patterns()).hasSize(1);
    assertThat(document.forProvider("a").required()).isFalse();
    assertThat(document.forProvider("b").required()).isTrue();
    assertThat(document.forProvider("b").http())
        .satisfies(http -> assertThat(http.on500()).isEqualTo(Verdict.WAIT));
    assertThat(document.forProvider("other")).isEqualTo(ProviderSettings.DEFAULT);
  }

  @Test
  void the_file_is_read_strictly() throws IOException {
    var file =
        write(
            """
            apiVersion: v1
            kind: GateSettings
            patterns: []
            fatalPatterns: ["("]
            providers:
              a: {required: maybe, httpHealthz: "ftp://x", http500: shrug, color: red}
            """);
    assertThat(errors(Map.of(FILE, "/c", "settings", file)))
        .extracting(error -> error.replace(file, "F"))
        .containsExactlyInAnyOrder(
            "--settings \"F\" has an unknown field patterns",
            "--settings \"F\" must have apiVersion: mesh.openkcm.io/v1alpha1",
            "--settings \"F\" has the fatal pattern \"(\", which is no expression",
            "--settings \"F\" has an unknown field providers.a.color",
            "--settings \"F\" has providers.a.required, which must be true or false",
            "--settings \"F\" has providers.a.http500, which must be fatal or wait",
            "--settings \"F\" has providers.a.httpHealthz, which must be"
                + " http://<host>:<port>/<path>");
    assertThat(errors(Map.of(FILE, "/c", "settings", "/nowhere/x")))
        .containsExactly("--settings \"/nowhere/x\" cannot be read: NoSuchFileException");
    assertThat(errors(Map.of(FILE, "/c", "settings", write("a: 1\na: 2\n")))).hasSize(1);
  }

  private String write(String yaml) throws IOException {
    return Files.writeString(directory.resolve("settings.yaml"), yaml).toString();
  }

  private static List<String> errors(Map<String, String> flags) {
    return switch (GateSettingsParser.parse(GateMode.SERVE, flags, Map.of())) {
      case Parsed.Invalid invalid -> invalid.errors();
      case Parsed.Valid valid -> throw new AssertionError(valid);
    };
  }

  private static GateSettings valid(
      GateMode mode, Map<String, String> flags, Map<String, String> environment) {
    return switch (GateSettingsParser.parse(mode, new HashMap<>(flags), environment)) {
      case Parsed.Valid(var settings) -> settings;
      case Parsed.Invalid invalid -> throw new AssertionError(invalid.errors());
    };
  }
}
