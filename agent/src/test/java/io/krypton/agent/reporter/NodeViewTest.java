package io.krypton.agent.reporter;

import static io.krypton.agent.reporter.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.report.NodeReport;
import io.krypton.agent.report.PluginReport;
import io.krypton.kms.verdict.HealthClass;
import io.krypton.kms.verdict.KeyIdHash;
import java.math.BigInteger;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeViewTest {
  private static final String TWO_PLUGINS = "1=unix:///a,2=unix:///b";
  private final Mailbox mailbox = new Mailbox();

  @Test
  void nothing_is_reported_until_every_plugin_is_judged() {
    var node = node("kms-sockets", TWO_PLUGINS);
    node.good("1", 0, "k1");
    node.gone("2", 0, "", "");
    assertThat(mailbox.latest().report()).isNull();

    node.gone("2", 20, "", "");
    assertThat(mailbox.latest().report()).isNull();

    node.gone("2", 30, "", "");
    assertThat(reported())
        .extracting(PluginReport::health)
        .containsExactly(HealthClass.ERROR, HealthClass.HEALTHY);
  }

  @Test
  void a_failure_that_does_not_count_yet_leaves_the_report_as_it_was() {
    var node = node();
    node.good("2", 0, "k2");
    node.gone("2", 10, "k2", "");

    assertThat(reported().getFirst().health()).isEqualTo(HealthClass.HEALTHY);
    assertThat(reported().getFirst().lastChecked()).isEqualTo(T0);

    node.good("2", 20, "k2");
    assertThat(reported().getFirst().lastChecked()).isEqualTo(T0.plusSeconds(20));
    assertThat(mailbox.latest().transitions()).isEqualTo(1);
  }

  @Test
  void a_failing_plugin_keeps_the_key_id_it_last_named() {
    var node = node();
    node.good("2", 0, "k2");
    node.gone("2", 10, "k2", "no such file");
    node.gone("2", 20, "k2", "no such file");

    assertThat(reported())
        .containsExactly(
            new PluginReport(
                BigInteger.TWO,
                HealthClass.ERROR,
                T0.plusSeconds(20),
                "k2",
                "SocketMissing",
                "no such file"));
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
  void remote_key_ids_are_hashed_on_request() {
    node("key-id-format", "sha256").good("2", 0, "arn:secret-name");

    assertThat(reported().getFirst().remoteKeyId()).isEqualTo(KeyIdHash.of("arn:secret-name"));
  }

  @Test
  void a_new_remote_key_is_a_transition() {
    var node = node();
    node.good("2", 0, "k1");
    node.good("2", 10, "k2");

    assertThat(mailbox.latest().transitions()).isEqualTo(2);
  }

  @Test
  void the_last_64_transitions_are_kept_for_display() {
    var view = view();
    var node = new ProbedNode(view);
    for (int i = 0; i < 100; i++) {
      node.good("2", i, "k" + i);
    }

    assertThat(view.transitions()).hasSize(64);
    assertThat(view.transitions().getLast().words()).isEqualTo("healthy (new remote key)");
  }

  @Test
  void a_tick_is_counted_with_its_time() {
    view().onTick(1);

    assertThat(mailbox.latest().tick()).isEqualTo(1);
    assertThat(mailbox.latest().tickedAt()).isAfter(T0);
  }

  private List<PluginReport> reported() {
    NodeReport report = mailbox.latest().report();
    assertThat(report).isNotNull();
    return report == null ? List.of() : report.plugins();
  }

  private ProbedNode node(String... flags) {
    return new ProbedNode(view(flags));
  }

  private NodeView view(String... flags) {
    return new NodeView(Samples.settings(flags), mailbox, Clock.systemUTC());
  }
}
