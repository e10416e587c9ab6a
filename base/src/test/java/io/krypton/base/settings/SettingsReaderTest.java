// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SettingsReaderTest {
  private static final Setting INTERVAL = Setting.named("interval").withDefault("30s");
  private static final Setting DEEP = Setting.named("deep-interval").withDefault("0");
  private static final Setting LISTEN = Setting.named("listen").withDefault("127.0.0.1:9811");
  private static final Setting TARGET = Setting.named("target").withDefault("a");
  private static final Setting NODE = Setting.named("node-name").orVariables("NODE_NAME");
  private static final Setting COUNT = Setting.named("count").withDefault("1");
  private static final Setting RELOAD = Setting.named("reload").withDefault("false");
  private static final Setting TOKEN = Setting.named("token").asSecret();
  private static final List<Setting> ALL =
      List.of(INTERVAL, DEEP, LISTEN, TARGET, NODE, COUNT, RELOAD, TOKEN);
  private static final String[] TARGETS = {"a", "b"};

  @Test
  void defaults_are_valid_and_typed() throws SettingsException {
    var reader = reader(Map.of());

    assertThat(reader.positive(INTERVAL)).isEqualTo(Duration.ofSeconds(30));
    assertThat(reader.notNegative(DEEP)).isZero();
    assertThat(reader.listenAddress(LISTEN).socket().orElseThrow().getPort()).isEqualTo(9811);
    assertThat(reader.oneOf(TARGET, TARGETS, it -> it)).isEqualTo("a");
    assertThat(reader.number(COUNT, 1, 9999)).isEqualTo(1);
    assertThat(reader.bool(RELOAD)).isFalse();
    assertThat(reader.text(TOKEN)).isEmpty();
    reader.throwIfInvalid();
  }

  @Test
  void every_mistake_is_found_with_value_and_remedy() {
    var reader =
        reader(
            Map.of(
                "interval", "soon",
                "deep-interval", "-1s",
                "listen", "example.com:80",
                "target", "c",
                "node-name", "Node_1",
                "count", "10000",
                "reload", "maybe"));
    reader.positive(INTERVAL);
    reader.notNegative(DEEP);
    reader.listenAddress(LISTEN);
    reader.oneOf(TARGET, TARGETS, it -> it);
    reader.subdomain(NODE);
    reader.number(COUNT, 1, 9999);
    reader.bool(RELOAD);

    assertThat(reader.errors())
        .containsExactly(
            "--interval \"soon\" is not a duration, write for example 30s",
            "--deep-interval \"-1s\" must not be negative",
            "--listen \"example.com:80\" must be <IP address>:<port>, or 0 for none",
            "--target \"c\" must be one of a, b",
            "--node-name \"Node_1\" must be a lowercase RFC 1123 subdomain of at most 253"
                + " characters",
            "--count \"10000\" must be a number from 1 to 9999",
            "--reload \"maybe\" must be one of false, true");
    assertThatThrownBy(reader::throwIfInvalid)
        .isInstanceOfSatisfying(SettingsException.class, it -> assertThat(it.errors()).hasSize(7));
  }

  @Test
  void limits_are_told_with_the_value() {
    var reader = reader(Map.of("interval", "16m", "deep-interval", "0s"));
    reader.atMost(INTERVAL, Duration.ofMinutes(15));
    reader.positive(DEEP);

    assertThat(reader.errors())
        .containsExactly(
            "--interval \"16m\" must be at most 15m", "--deep-interval \"0s\" must be positive");
  }

  @Test
  void a_mistake_in_a_variable_or_a_file_names_its_source() {
    var sources =
        new SettingSources(
            "KRYPTON_",
            Map.of(),
            Map.of("KRYPTON_INTERVAL", "soon", "NODE_NAME", "-"),
            new SettingsFile("--config \"f\"", Map.of("target", "c")));
    var reader = new SettingsReader(sources, ALL);
    reader.positive(INTERVAL);
    reader.subdomain(NODE);
    reader.oneOf(TARGET, TARGETS, it -> it);

    assertThat(reader.errors())
        .containsExactly(
            "--interval \"soon\" is not a duration, write for example 30s (from KRYPTON_INTERVAL)",
            "--node-name \"-\" must be a lowercase RFC 1123 subdomain of at most 253 characters"
                + " (from NODE_NAME)",
            "--target \"c\" must be one of a, b (from --config \"f\")");
  }

  @Test
  void an_unknown_key_is_named_with_its_source_and_the_nearest_known_one() {
    var sources =
        new SettingSources(
            "KRYPTON_",
            Map.of("intervall", "1s"),
            Map.of("KRYPTON_SOMETHING_ELSE", "1"),
            new SettingsFile("--config \"f\"", Map.of("lisen", "0", "qqqqqq", "1")));

    assertThat(new SettingsReader(sources, ALL).errors())
        .containsExactly(
            "--intervall is not a flag; did you mean 'interval'?",
            "--config \"f\": \"lisen\" is not a setting; did you mean 'listen'?",
            "--config \"f\": \"qqqqqq\" is not a setting");
  }

  @Test
  void a_secret_is_never_shown() {
    var reader = reader(Map.of("token", "hunter2"));
    reader.parsed(TOKEN, _ -> Optional.empty(), "is too short, use 16 characters", "");
    var value = new SettingValue(TOKEN, "hunter2", SettingValue.Layer.FLAG, "--token");

    assertThat(reader.errors()).containsExactly("--token \"***\" is too short, use 16 characters");
    assertThat(value.toString()).isEqualTo("--token=***");
  }

  @Test
  void what_is_required_may_come_from_anywhere_but_not_be_empty() {
    var reader = reader(Map.of());
    reader.required(NODE);
    reader.reject("--a and --b exclude each other; use one of them");

    assertThat(reader.errors())
        .containsExactly(
            "--node-name is required", "--a and --b exclude each other; use one of them");
  }

  private static SettingsReader reader(Map<String, String> flags) {
    return new SettingsReader(
        new SettingSources("KRYPTON_", flags, Map.of(), SettingsFile.NONE), ALL);
  }
}
