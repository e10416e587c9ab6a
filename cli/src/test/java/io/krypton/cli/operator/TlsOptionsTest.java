// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.settings.SettingsFile;
import io.krypton.cli.settings.FlagDefaults;
import io.krypton.operator.OperatorSettings;
import io.krypton.operator.observe.ServerAddress;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfile.TlsVersion;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

class TlsOptionsTest {
  private final List<String> warnings = new ArrayList<>();

  @Test
  void defaults_are_the_safe_ones() {
    var settings = settings(Map.of());
    assertThat(settings.tls().source()).isInstanceOf(ProfileSource.File.class);
    assertThat(settings.tls().platform()).isEmpty();
    assertThat(settings.serving().delegatedAuth()).isTrue();
    assertThat(settings.serving().secureMetrics()).isTrue();
    assertThat(settings.serving().openToAll()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "KRYPTON_PLATFORM,eks",
    "KRYPTON_TLS_PROFILE_SOURCE,vault",
    "KRYPTON_METRICS_AUTH,basic"
  })
  void a_variable_of_another_version_is_told_once_and_ignored(String variable, String value) {
    var settings = settings(Map.of(variable, value));
    assertThat(settings.tls().source()).isInstanceOf(ProfileSource.File.class);
    assertThat(settings.serving().delegatedAuth()).isTrue();
    assertThat(settings.tls().platform()).isEmpty();
    assertThat(warnings).hasSize(1).first().asString().contains(variable, value);
  }

  @ParameterizedTest
  @CsvSource({
    "--platform=eks,openshift",
    "--tls-profile-source=vault,flags",
    "--tls-min-version=1.2,VersionTLS12",
    "--publish-tls-profile=some,cluster",
    "--tls-adherence=never,always",
    "--metrics-auth=basic,delegated"
  })
  void a_bad_flag_is_refused_with_what_is_allowed(String flag, String allowed) {
    assertThatThrownBy(() -> settings(Map.of(), flag))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(flag.substring(0, flag.indexOf('=')))
        .hasMessageContaining(allowed);
  }

  @Test
  void flags_of_a_profile_win_over_a_source_from_a_variable() {
    var settings =
        settings(Map.of("KRYPTON_TLS_PROFILE_SOURCE", "none"), "--tls-min-version=VersionTLS12");
    assertThat(settings.tls().source())
        .isEqualTo(new ProfileSource.Flags(PredefinedProfiles.INTERMEDIATE));
    var ciphers = settings(Map.of(), "--tls-cipher-suites=ECDHE-RSA-AES128-GCM-SHA256");
    assertThat(ciphers.tls().own().orElseThrow().minimum()).isEqualTo(TlsVersion.TLS12);
    assertThat(
            settings(Map.of(), "--tls-min-version=VersionTLS13")
                .tls()
                .own()
                .orElseThrow()
                .ciphers())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--tls-profile-source=file --tls-min-version=VersionTLS12|exclude each other",
        "--tls-profile-source=flags|needs at least one of",
        "--publish-tls-profile=flags|needs at least one of",
        "--tls-cipher-suites=RC4-SHA|none are supported",
        "--tls-groups=X25519MLKEM768|none are supported",
        "--tls-groups=a b|is not a name",
        "--metrics-secure=false|would show tokens",
        "--metrics-secure=false --metrics-auth=none|loopback addresses only"
      })
  void flags_that_do_not_go_together_are_refused(String flags, String message) {
    assertThatThrownBy(() -> settings(Map.of(), split(flags)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static String[] split(String flags) {
    return flags.contains(" --") ? flags.split(" ") : new String[] {flags};
  }

  @Test
  void plain_http_is_for_loopback_without_tokens() {
    var options = new TlsOptions();
    options.metricsSecure = false;
    options.metricsAuth = TlsOptions.Auth.none;
    var loopback = ServerAddress.parse("--metrics-bind-address", "127.0.0.1:8080");
    assertThat(options.toServing(loopback, loopback).openToAll()).isFalse();
    assertThat(settings(Map.of(), "--metrics-auth=none").serving().openToAll()).isTrue();
  }

  record Combination(String platform, String source, String auth) {}

  static Stream<Combination> combinations() {
    return Stream.of("openshift", "kubernetes")
        .flatMap(
            platform ->
                Stream.of("file", "flags", "none")
                    .flatMap(
                        source ->
                            Stream.of("delegated", "none")
                                .map(auth -> new Combination(platform, source, auth))));
  }

  @ParameterizedTest
  @MethodSource("combinations")
  void platform_source_and_auth_do_not_touch_each_other(Combination row) {
    var variables = new HashMap<String, String>();
    variables.put("KRYPTON_PLATFORM", row.platform());
    variables.put("KRYPTON_TLS_PROFILE_SOURCE", row.source());
    variables.put("KRYPTON_METRICS_AUTH", row.auth());
    var flags =
        row.source().equals("flags")
            ? new String[] {"--tls-min-version=VersionTLS13"}
            : new String[0];
    var settings = settings(variables, flags);
    assertThat(settings.tls().platform().orElseThrow().value()).isEqualTo(row.platform());
    assertThat(settings.serving().delegatedAuth()).isEqualTo(row.auth().equals("delegated"));
    assertThat(settings.serving().secureMetrics()).isTrue();
    assertThat(settings.tls().source().getClass().getSimpleName())
        .isEqualToIgnoringCase(row.source());
    assertThat(warnings).isEmpty();
  }

  private record Settings(OperatorSettings.Tls tls, OperatorSettings.Serving serving) {}

  private Settings settings(Map<String, String> environment, String... flags) {
    var options = new TlsOptions();
    var command =
        new CommandLine(options)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setDefaultValueProvider(
                new FlagDefaults(
                    "KRYPTON_", environment, Map.of(), SettingsFile.NONE, warnings::add));
    var parsed = command.parseArgs(flags);
    var address = ServerAddress.parse("--metrics-bind-address", ":8080");
    return new Settings(
        options.toSettings(parsed::hasMatchedOption), options.toServing(address, address));
  }
}
