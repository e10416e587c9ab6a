package io.krypton.agent.reporter.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.HealthClass;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NodeHealthReportTest {
  private static final Instant T0 = Instant.parse("2026-05-08T12:00:00Z");
  private static final PluginHealthReport FAILING =
      new PluginHealthReport(BigInteger.ONE, HealthClass.ERROR, T0, "k", "Timeout", "detail");

  static Stream<Arguments> changes() {
    return Stream.of(
        argumentSet(
            "later check", with(HealthClass.ERROR, T0.plusSeconds(30), "k", "Timeout"), true),
        argumentSet(
            "other detail",
            new PluginHealthReport(BigInteger.ONE, HealthClass.ERROR, T0, "k", "Timeout", "other"),
            true),
        argumentSet("other class", with(HealthClass.UNHEALTHY, T0, "k", "Timeout"), false),
        argumentSet("other cause", with(HealthClass.ERROR, T0, "k", "SocketMissing"), false),
        argumentSet("other remote key", with(HealthClass.ERROR, T0, "k2", "Timeout"), false),
        argumentSet("another role", FAILING.withRole(ProviderRole.READ), false),
        argumentSet(
            "other key id",
            new PluginHealthReport(BigInteger.TWO, HealthClass.ERROR, T0, "k", "Timeout", "detail"),
            false));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void only_a_change_of_the_essence_is_a_transition(PluginHealthReport changed, boolean same) {
    assertThat(report(FAILING).isEquivalentTo(report(changed))).isEqualTo(same);
  }

  @Test
  void an_older_key_that_cannot_be_read_is_a_transition() {
    assertThat(report(healthy()).isEquivalentTo(report(healthy("sha256:1")))).isFalse();
    assertThat(report(healthy("sha256:1")).isEquivalentTo(report(healthy("sha256:1")))).isTrue();
  }

  private static PluginHealthReport healthy(String... unreadable) {
    return new PluginHealthReport(
        BigInteger.ONE, HealthClass.HEALTHY, T0, "k", null, null, null, List.of(unreadable));
  }

  @Test
  void a_plugin_more_is_a_transition() {
    var second = new PluginHealthReport(BigInteger.TWO, HealthClass.HEALTHY, T0, "k", null, null);

    assertThat(report(FAILING).isEquivalentTo(report(FAILING, second))).isFalse();
    assertThat(report(second, FAILING).isEquivalentTo(report(FAILING, second))).isTrue();
  }

  private static PluginHealthReport with(
      HealthClass health, Instant checked, String remote, String cause) {
    return new PluginHealthReport(BigInteger.ONE, health, checked, remote, cause, "detail");
  }

  private static NodeHealthReport report(PluginHealthReport... plugins) {
    return new NodeHealthReport("n", Duration.ofSeconds(30), "ns/lease", List.of(plugins));
  }
}
