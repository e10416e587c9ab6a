// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static io.krypton.base.kmsreport.Samples.CHECKED;
import static io.krypton.base.kmsreport.Samples.report;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TransitionTest {
  private static final PluginReport FAILING =
      failing(1, ReportedHealth.ERROR, CHECKED, "k", "Timeout", "detail");

  static Stream<Arguments> changes() {
    var later = CHECKED.plusSeconds(30);
    return Stream.of(
        argumentSet(
            "later check", failing(1, ReportedHealth.ERROR, later, "k", "Timeout", "detail"), true),
        argumentSet(
            "other detail",
            failing(1, ReportedHealth.ERROR, CHECKED, "k", "Timeout", "other"),
            true),
        argumentSet(
            "other health",
            failing(1, ReportedHealth.UNHEALTHY, CHECKED, "k", "Timeout", "detail"),
            false),
        argumentSet(
            "other cause",
            failing(1, ReportedHealth.ERROR, CHECKED, "k", "SocketMissing", "detail"),
            false),
        argumentSet(
            "other remote key",
            failing(1, ReportedHealth.ERROR, CHECKED, "k2", "Timeout", "detail"),
            false),
        argumentSet("another role", FAILING.withRole(ReportedRole.READ), false),
        argumentSet(
            "other key id",
            failing(2, ReportedHealth.ERROR, CHECKED, "k", "Timeout", "detail"),
            false));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void only_a_change_of_the_essence_is_a_transition(PluginReport changed, boolean same) {
    assertThat(report(FAILING).saysTheSameAs(report(changed))).isEqualTo(same);
  }

  @Test
  void an_older_key_that_cannot_be_read_is_a_transition() {
    var keys = UnreadableKeys.named(Stream.of(KeyHash.of("1").text()));
    var degraded = Samples.healthy(1).withUnreadableKeys(keys, "gone");

    assertThat(report(Samples.healthy(1)).saysTheSameAs(report(degraded))).isFalse();
    assertThat(report(degraded).saysTheSameAs(report(degraded))).isTrue();
  }

  @Test
  void a_plugin_more_is_a_transition() {
    var second = Samples.healthy(2);

    assertThat(report(FAILING).saysTheSameAs(report(FAILING, second))).isFalse();
    assertThat(report(FAILING, second).saysTheSameAs(report(FAILING))).isFalse();
    assertThat(report(second, FAILING).saysTheSameAs(report(FAILING, second))).isTrue();
  }

  private static PluginReport failing(
      long keyId,
      ReportedHealth health,
      Instant checked,
      String remote,
      String cause,
      String detail) {
    return PluginReport.failing(KeyId.of(keyId), health, checked, remote, cause, detail);
  }
}
