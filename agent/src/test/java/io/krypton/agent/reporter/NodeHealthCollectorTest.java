// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static io.krypton.agent.reporter.publish.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.reporter.publish.LatestSample;
import io.krypton.agent.reporter.publish.Samples;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.base.kmsreport.UnreadableKeys;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class NodeHealthCollectorTest {
  private static final String TWO_PLUGINS = "1=unix:///a,2=unix:///b";
  private final LatestSample latestSample = new LatestSample();

  @Test
  void nothing_is_reported_until_every_plugin_is_judged() {
    var node = node("kms-sockets", TWO_PLUGINS);
    node.good("1", 0, "k1");
    node.gone("2", 0, "", "");
    assertThat(latestSample.latest().report()).isNull();

    node.gone("2", 20, "", "");
    assertThat(latestSample.latest().report()).isNull();

    node.gone("2", 30, "", "");
    assertThat(reported())
        .extracting(PluginReport::health)
        .containsExactly(ReportedHealth.ERROR, ReportedHealth.HEALTHY);
  }

  @Test
  void a_failure_that_does_not_count_yet_leaves_the_report_as_it_was() {
    var node = node();
    node.good("2", 0, "k2");
    node.gone("2", 10, "k2", "");

    assertThat(reported().getFirst().health()).isEqualTo(ReportedHealth.HEALTHY);
    assertThat(reported().getFirst().lastChecked()).isEqualTo(T0);

    node.good("2", 20, "k2");
    assertThat(reported().getFirst().lastChecked()).isEqualTo(T0.plusSeconds(20));
    assertThat(latestSample.latest().transitions()).isEqualTo(1);
  }

  @Test
  void a_failing_plugin_keeps_the_key_id_it_last_named() {
    var node = node();
    node.good("2", 0, "k2");
    node.gone("2", 10, "k2", "no such file");
    node.gone("2", 20, "k2", "no such file");

    var expected =
        PluginReport.failing(
            KeyId.of(2),
            ReportedHealth.ERROR,
            T0.plusSeconds(20),
            KeyHash.label("k2"),
            "SocketMissing",
            "no such file");
    assertThat(reported())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("interval", "lease")
        .containsExactly(expected);
  }

  @Test
  void secrets_in_the_words_of_a_plugin_do_not_get_out() {
    var node = node();
    node.good("2", 0, "k2");
    node.gone("2", 10, "k2", "login failed: token=hunter2secret\nhttps://u:pw@vault/v1?x=y");
    node.gone("2", 20, "k2", "login failed: token=hunter2secret\nhttps://u:pw@vault/v1?x=y");

    assertThat(reported().getFirst().detail())
        .contains("***")
        .doesNotContain("hunter2secret")
        .doesNotContain("pw@")
        .doesNotContain("\n");
  }

  @Test
  void remote_key_ids_are_hashed_unless_they_are_asked_for_as_they_are() {
    node().good("2", 0, "arn:secret-name");
    assertThat(reported().getFirst().remoteKeyId()).isEqualTo(KeyHash.label("arn:secret-name"));

    node("key-id-format", "raw").good("2", 0, "arn:secret-name");
    assertThat(reported().getFirst().remoteKeyId()).isEqualTo("arn:secret-name");
  }

  @Test
  void a_role_is_told_at_once_and_taken_back_when_nobody_knows_it_any_more() {
    var view = view("kms-sockets", TWO_PLUGINS);
    view.updateRoles(Map.of(KeyId.of(2), ReportedRole.WRITE));
    assertThat(latestSample.latest().report()).as("no report before all are judged").isNull();
    var node = new ProbedNode(view);
    node.good("2", 0, "k2");
    node.good("1", 0, "k1");
    assertThat(reported()).extracting(PluginReport::role).containsExactly(ReportedRole.WRITE, null);

    view.updateRoles(Map.of(KeyId.of(2), ReportedRole.READ, KeyId.of(1), ReportedRole.WRITE));
    assertThat(reported())
        .extracting(PluginReport::role)
        .containsExactly(ReportedRole.READ, ReportedRole.WRITE);
    assertThat(view.transitions())
        .extracting(PluginTransition::describe)
        .endsWith("healthy (role read)", "healthy (role write)");

    node.good("2", 30, "k2");
    assertThat(reported().getFirst().role()).as("probes keep it").isEqualTo(ReportedRole.READ);
    view.updateRoles(Map.of());
    assertThat(reported()).extracting(PluginReport::role).containsOnlyNulls();
  }

  @Test
  void unreadable_older_keys_leave_a_plugin_healthy_until_a_round_trip_reads_them_again() {
    var view = view();
    var node = new ProbedNode(view);
    node.good("2", 0, "k2");
    node.oldKeyUnreadable("2", 1, "k2", "k1");

    assertThat(reported().getFirst().health()).isEqualTo(ReportedHealth.HEALTHY);
    assertThat(reported().getFirst().unreadableKeys())
        .isEqualTo(UnreadableKeys.named(Stream.of(KeyHash.label("k1"))));
    assertThat(reported().getFirst().cause()).isNull();
    assertThat(reported().getFirst().detail()).contains("NOT_FOUND").doesNotContain("k1");
    assertThat(view.transitions().getLast().describe())
        .startsWith("healthy (cannot decrypt data of older key sha256:");

    node.good("2", 30, "k2");
    assertThat(reported().getFirst().unreadableKeys()).as("Status says nothing").isNotNull();
    node.goodDeep("2", 60, "k2");
    assertThat(reported().getFirst().unreadableKeys()).isNull();
    assertThat(reported().getFirst().detail()).isNull();
    assertThat(view.transitions().getLast().describe())
        .isEqualTo("healthy (older keys readable again)");
  }

  @Test
  void a_failing_plugin_says_nothing_of_its_older_keys_and_remembers_them() {
    var node = node();
    node.good("2", 0, "k2");
    node.oldKeyUnreadable("2", 1, "k2", "k1");
    node.gone("2", 10, "k2", "");
    node.gone("2", 20, "k2", "");
    assertThat(reported().getFirst().unreadableKeys()).isNull();

    node.good("2", 30, "k2");
    node.oldKeyUnreadable("2", 31, "k2", "k1");

    assertThat(reported().getFirst().health()).isEqualTo(ReportedHealth.HEALTHY);
    assertThat(reported().getFirst().unreadableKeys())
        .isEqualTo(UnreadableKeys.named(Stream.of(KeyHash.label("k1"))));
  }

  @Test
  void a_new_remote_key_is_a_transition() {
    var node = node();
    node.good("2", 0, "k1");
    node.good("2", 10, "k2");

    assertThat(latestSample.latest().transitions()).isEqualTo(2);
  }

  @Test
  void the_last_64_transitions_are_kept_for_display() {
    var view = view();
    var node = new ProbedNode(view);
    for (int i = 0; i < 100; i++) {
      node.good("2", i, "k" + i);
    }

    assertThat(view.transitions()).hasSize(64);
    assertThat(view.transitions().getLast().describe()).isEqualTo("healthy (new remote key)");
  }

  @Test
  void a_tick_is_counted_with_its_time() {
    view().onTick(1);

    assertThat(latestSample.latest().tick()).isEqualTo(1);
    assertThat(latestSample.latest().tickedAt()).isAfter(T0);
  }

  private List<PluginReport> reported() {
    NodeReport report = latestSample.latest().report();
    assertThat(report).isNotNull();
    return report == null ? List.of() : List.copyOf(report.plugins().values()).reversed();
  }

  private ProbedNode node(String... flags) {
    return new ProbedNode(view(flags));
  }

  private NodeHealthCollector view(String... flags) {
    return new NodeHealthCollector(Samples.settings(flags), latestSample, Clock.systemUTC());
  }
}
