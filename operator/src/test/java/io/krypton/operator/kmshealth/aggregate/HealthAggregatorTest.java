// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static io.krypton.operator.kmshealth.aggregate.Scenario.converged;
import static io.krypton.operator.kmshealth.aggregate.Scenario.degraded;
import static io.krypton.operator.kmshealth.aggregate.Scenario.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.kmshealth.NodeHealth.Source;
import io.krypton.api.kmshealth.NodeHealth.State;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.aggregate.AggregationResult.NodeWarning;
import io.krypton.operator.kmshealth.input.NodeEvidence.Heartbeat;
import io.krypton.operator.kmshealth.input.NodeExpectation;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HealthAggregatorTest {
  private static final String WELL = "FALSE AsExpected: ";

  private final Scenario scenario = new Scenario();

  @Test
  void all_well_is_false_and_stays_byte_for_byte() {
    var first = scenario.allHealthy().look();
    assertThat(said(first)).isEqualTo(WELL);
    assertThat(first.nodesHealthy()).isEqualTo("3/3");
    assertThat(first.writeKey()).hasToString("2");
    var later = scenario.after(3000);
    assertThat(later.degraded()).isEqualTo(first.degraded());
    assertThat(later.nodes()).isEqualTo(first.nodes());
  }

  @Test
  void a_failing_plugin_shows_at_once_with_its_role() {
    scenario.allHealthy().look();
    var read = scenario.reports("b", "2=healthy:kek", "1=unreachable").look();
    assertThat(said(read))
        .isEqualTo("TRUE PluginError: node b keyID 1 (read): error: Broken: it hurts");
    assertThat(read.writeKeyFails()).isFalse();
    assertThat(read.nodesHealthy()).isEqualTo("2/3");

    var both = scenario.reports("a", "2=unhealthy", "1=healthy").look();
    assertThat(said(both))
        .isEqualTo(
            "TRUE PluginUnhealthyAndPluginError: node a keyID 2 (write): unhealthy: Broken: it"
                + " hurts\nnode b keyID 1 (read): error: Broken: it hurts");
    assertThat(both.writeKeyFails()).isTrue();
  }

  @Test
  void recovery_is_held_until_it_has_lasted() {
    scenario.allHealthy().look();
    var bad = scenario.reports("b", "2=unreachable", "1=healthy").look();
    scenario.after(60);
    scenario.reports("b", "2=healthy:kek", "1=healthy").look();
    var held = scenario.after(59);
    assertThat(held.degraded()).isEqualTo(bad.degraded());
    assertThat(held.requeueAfter()).isLessThan(Duration.ofSeconds(2));
    assertThat(said(scenario.after(1))).isEqualTo(WELL);
  }

  @Test
  void a_plugin_that_comes_and_goes_is_one_transition() {
    scenario.allHealthy().look();
    var bad = scenario.reports("b", "2=unreachable", "1=healthy").look();
    for (int i = 0; i < 40; i++) {
      scenario.reports("b", i % 2 == 0 ? "2=healthy:kek" : "2=unreachable", "1=healthy");
      assertThat(scenario.after(30).degraded()).isEqualTo(bad.degraded());
    }
  }

  @Test
  void after_three_recoveries_the_fourth_takes_longer() {
    scenario.allHealthy().look();
    for (int i = 0; i < 3; i++) {
      scenario.reports("b", "2=unreachable", "1=healthy").look();
      scenario.reports("b", "2=healthy:kek", "1=healthy").look();
      assertThat(said(scenario.after(61))).isEqualTo(WELL);
    }
    scenario.reports("b", "2=unreachable", "1=healthy").look();
    scenario.reports("b", "2=healthy:kek", "1=healthy").look();
    assertThat(said(scenario.after(299))).startsWith("TRUE");
    assertThat(said(scenario.after(2))).isEqualTo(WELL);
  }

  @Test
  void silence_is_stale_after_the_threshold_and_not_before() {
    scenario.allHealthy().look();
    assertThat(said(scenario.after(120, "c"))).isEqualTo(WELL);
    var stale = scenario.after(1, "c");
    assertThat(said(stale)).isEqualTo("UNKNOWN ReporterStale: node c: reporter stale");
    assertThat(stale.nodes().get(2).state()).isEqualTo(State.STALE);
    scenario.beats("c").look();
    assertThat(said(scenario.after(59))).startsWith("UNKNOWN");
    assertThat(said(scenario.after(2))).isEqualTo(WELL);
  }

  @Test
  void a_failing_node_that_falls_silent_stays_failing() {
    scenario.allHealthy().reports("c", "2=unhealthy", "1=healthy").look();
    assertThat(said(scenario.after(200, "c")))
        .isEqualTo(
            "TRUE PluginUnhealthyAndReporterStale: node c keyID 2 (write): unhealthy: Broken: it"
                + " hurts (reporter stale)\nnode c: reporter stale");
  }

  @ParameterizedTest
  @ValueSource(longs = {-600, 600, -86_400, 86_400 * 365})
  void a_wrong_clock_changes_no_verdict_but_is_noticed(long seconds) {
    scenario.offsets.put("b", Duration.ofSeconds(seconds));
    scenario.allHealthy().look();
    var later = scenario.after(600);
    assertThat(said(later)).isEqualTo(WELL);
    assertThat(converged(later)).isEqualTo("Converged");
    assertThat(later.state().announced())
        .containsExactly(new NodeWarning(NodeWarning.Kind.CLOCK_SKEW, "b"));
    assertThat(later.warnings()).as("told once").isEmpty();
    assertThat(said(scenario.after(130, "b")))
        .isEqualTo("UNKNOWN ReporterStale: node b: reporter stale");
    scenario.beats("b");
    scenario.after(600);
    scenario.restart();
    for (int i = 0; i < 20; i++) {
      var looked = scenario.after(5);
      assertThat(said(looked)).isEqualTo(WELL);
      assertThat(converged(looked)).isEqualTo("Converged");
    }
  }

  @Test
  void a_cold_start_waits_for_reports_and_then_misses_them() {
    scenario.reports("a", "1=healthy:kek").reports("b", "1=healthy:kek");
    assertThat(said(scenario.look())).isEqualTo("-");
    assertThat(said(scenario.after(300))).isEqualTo("-");
    assertThat(said(scenario.after(1))).isEqualTo("UNKNOWN ReporterMissing: node c: no report");
    assertThat(converged(scenario.last)).isEqualTo("MissingNode");
  }

  @Test
  void a_key_that_only_one_node_lacks_is_named_after_a_rollout_should_be_over() {
    scenario.allHealthy().look();
    scenario
        .reports("a", "3=healthy:new", "2=healthy:kek")
        .reports("b", "3=healthy:new", "2=healthy:kek");
    assertThat(said(scenario.after(590))).isEqualTo(WELL);
    assertThat(said(scenario.after(60)))
        .isEqualTo("UNKNOWN ReporterMissing: node c keyID 3: no report");
    assertThat(said(scenario.reports("c", "3=healthy:new", "2=healthy:kek").after(90)))
        .isEqualTo(WELL);
  }

  @Test
  void a_key_that_arrives_node_by_node_is_no_alarm() {
    scenario.allHealthy().look();
    for (var node : List.of("a", "b", "c")) {
      scenario.reports(node, "3=healthy:new", "2=healthy:kek", "1=healthy:old");
      assertWellFor(240);
    }
    assertWellFor(900);
  }

  @Test
  void a_key_that_leaves_node_by_node_is_no_alarm() {
    scenario.allHealthy().look();
    for (var node : List.of("a", "b", "c")) {
      scenario.reports(node, "2=healthy:kek");
      assertWellFor(240);
    }
    assertWellFor(900);
  }

  @Test
  void a_new_key_that_fails_on_the_first_node_is_told_at_once() {
    scenario.allHealthy().look();
    scenario.reports("a", "3=unreachable", "2=healthy:kek", "1=healthy:old");
    assertThat(said(scenario.look())).startsWith("TRUE PluginError: node a keyID 3");
  }

  private void assertWellFor(int seconds) {
    for (int i = 0; i < seconds; i += 30) {
      assertThat(said(scenario.after(30))).isEqualTo(WELL);
    }
  }

  @Test
  void only_wanted_keys_count() {
    scenario.keyIds = Set.of(KeyId.parse("2").orElseThrow());
    scenario.allHealthy().reports("a", "2=healthy:kek", "1=unreachable");
    assertThat(said(scenario.look())).isEqualTo(WELL);
  }

  @Test
  void a_restart_while_degraded_never_says_well_in_between() {
    scenario.allHealthy().reports("b", "2=unreachable", "1=healthy").look();
    var bad = scenario.after(600);
    scenario.reports("b", "2=healthy:kek", "1=healthy").restart();
    for (int i = 0; i < 12; i++) {
      assertThat(scenario.after(5).degraded()).isEqualTo(bad.degraded());
    }
    assertThat(said(scenario.after(10))).isEqualTo(WELL);
  }

  @Test
  void unknown_and_true_are_one_stretch() {
    scenario.allHealthy().look();
    var stale = scenario.after(130, "c");
    var since = degraded(stale).lastTransitionTime();
    scenario.reports("a", "2=unreachable", "1=healthy");
    var worse = scenario.after(30, "c");
    assertThat(degraded(worse).status().name()).isEqualTo("TRUE");
    assertThat(degraded(worse).lastTransitionTime()).isEqualTo(since);
  }

  @Test
  void gibberish_harms_its_node_only_and_cures_nothing() {
    scenario.allHealthy().look();
    scenario.messages.put("a", "gibberish");
    assertThat(said(scenario.look()))
        .isEqualTo("UNKNOWN MalformedReport: node a: report cannot be parsed");
    scenario.reports("a", "2=unhealthy", "1=healthy").look();
    scenario.messages.put("a", "gibberish");
    assertThat(said(scenario.look())).startsWith("TRUE PluginUnhealthy");
  }

  @Test
  void hostile_words_stay_on_their_line() {
    scenario.allHealthy();
    scenario.messages.put(
        "a",
        "keyID=2 status=unhealthy lastChecked=%s cause=No\u001b[31m detail=x\ry\u0000\u202ez %s"
            .formatted(Scenario.BEGIN, "long ".repeat(100)));
    var message = degraded(scenario.look()).message();
    assertThat(message).startsWith("node a keyID 2 (write): unhealthy: x y z long long");
    assertThat(message.lines().findFirst().orElseThrow()).endsWith("...").hasSizeLessThan(160);
  }

  @Test
  void many_lines_are_cut() {
    var names = new HashSet<String>();
    for (int i = 10; i < 40; i++) {
      scenario.reports("n" + i, "1=unreachable");
      names.add("n" + i);
    }
    scenario.expectation = new NodeExpectation.Known(names, Source.SELECTOR, Set.of());
    assertThat(degraded(scenario.look()).message().lines())
        .hasSize(21)
        .last()
        .isEqualTo("... and 10 more");
  }

  @Test
  void a_planned_stop_and_a_rollout_are_excused_for_a_while() {
    scenario.allHealthy().look();
    scenario.leases.put("c", new Heartbeat("", Scenario.BEGIN, Duration.ofMinutes(2)));
    assertThat(said(scenario.after(590, "c"))).isEqualTo(WELL);
    assertThat(converged(scenario.last)).isEqualTo("StaleReport");
    assertThat(said(scenario.after(60, "c"))).startsWith("UNKNOWN ReporterStale");

    var other = new Scenario();
    other.expectation =
        new NodeExpectation.Known(Set.of("a", "b", "c"), Source.PLATFORM, Set.of("b"));
    other.allHealthy().look();
    assertThat(said(other.after(590, "b"))).isEqualTo(WELL);
  }

  @Test
  void a_node_that_left_is_cleaned_up_unless_it_still_reports() {
    scenario.allHealthy().look();
    scenario.expectation = new NodeExpectation.Known(Set.of("a"), Source.SELECTOR, Set.of());
    assertThat(scenario.after(590, "c").orphans()).isEmpty();
    var over = scenario.after(60, "c");
    assertThat(over.orphans()).containsExactly("c");
    assertThat(over.state().announced())
        .containsExactly(new NodeWarning(NodeWarning.Kind.UNEXPECTED_REPORTER, "b"));
    assertThat(over.nodesHealthy()).isEqualTo("1/1");
  }

  @Test
  void nothing_is_removed_while_it_is_not_certain_who_is_expected() {
    scenario.allHealthy().look();
    scenario.expectation = new NodeExpectation.Unreadable();
    var later = scenario.after(3600, "c");
    assertThat(later.orphans()).isEmpty();
    assertThat(later.nodes()).hasSize(3);

    scenario.restart();
    var unread = scenario.look();
    assertThat(unread.degraded()).isEqualTo(later.degraded());
    assertThat(unread.nodes()).isEqualTo(later.nodes());
  }

  @Test
  void when_kms_is_switched_off_all_is_withdrawn_and_later_removed() {
    scenario.allHealthy().look();
    scenario.inUse = false;
    var off = scenario.look();
    assertThat(off.inUse()).isFalse();
    assertThat(off.degraded()).isNull();
    assertThat(off.converged()).isNull();
    assertThat(off.orphans()).isEmpty();
    assertThat(scenario.after(630, "a", "b").orphans()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void whoever_reports_is_expected_if_nobody_is_named_and_forgotten_after_a_day() {
    scenario.expectation = new NodeExpectation.Learned();
    assertThat(scenario.allHealthy().look().nodes())
        .extracting("source")
        .containsOnly(Source.LEARNED);
    assertThat(said(scenario.after(86_000, "c"))).startsWith("UNKNOWN ReporterStale");
    assertThat(said(scenario.after(600, "c"))).isEqualTo(WELL);
  }

  @Test
  void an_error_that_nobody_made_sure_of_needs_a_second_check() {
    scenario.expectation = new NodeExpectation.Known(Set.of("a"), Source.SPEC, Set.of());
    scenario.messages.put(
        "a", "[{\"keyID\":\"1\",\"status\":\"error\",\"lastChecked\":\"2026-05-08T12:00:00Z\"}]");
    assertThat(said(scenario.look())).isEqualTo("-");
    assertThat(said(scenario.after(10))).isEqualTo("-");
    scenario.messages.put(
        "a", "[{\"keyID\":\"1\",\"status\":\"error\",\"lastChecked\":\"2026-05-08T12:00:30Z\"}]");
    assertThat(said(scenario.look())).isEqualTo("TRUE PluginError: node a keyID 1 (write): error");
  }

  @Test
  void two_reporters_with_one_name_are_noticed() {
    scenario.allHealthy().look();
    for (int i = 0; i < 6; i++) {
      scenario.seconds += 15;
      scenario.leases.put(
          "a",
          new Heartbeat(
              "a_" + i % 2, Scenario.BEGIN.plusSeconds(scenario.seconds), Duration.ofMinutes(2)));
      scenario.look();
    }
    assertThat(Objects.requireNonNull(scenario.memory).announced())
        .containsExactly(new NodeWarning(NodeWarning.Kind.DUPLICATE_REPORTER, "a"));
  }

  @Test
  void a_silent_node_without_a_lease_says_where_one_was_looked_for() {
    scenario.allHealthy().look();
    scenario.leases.remove("c");
    scenario.leaseNotes.put("c", "no Lease in namespace x, watched by --kms-lease-namespace");
    assertThat(said(scenario.after(300)))
        .isEqualTo(
            "UNKNOWN ReporterStale: node c: reporter stale: no Lease in namespace x, watched by"
                + " --kms-lease-namespace");
  }

  /** Whatever happens, the sum never gets better than the worst plugin that fails right now. */
  @Test
  void no_history_hides_a_failure() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    var words = new String[] {"healthy:kek", "healthy:kek", "unhealthy", "unreachable"};
    for (int round = 0; round < 60; round++) {
      var any = new Scenario();
      any.allHealthy().look();
      for (int step = 0; step < 40; step++) {
        var node = "abc".substring(random.nextInt(3)).substring(0, 1);
        var word = words[random.nextInt(words.length)];
        any.reports(node, "2=" + word, "1=healthy");
        if (random.nextInt(10) == 0) {
          any.restart();
        }
        var looked = any.after(random.nextInt(90));
        var fails = any.messages.values().stream().anyMatch(it -> it.contains("cause="));
        if (fails) {
          assertThat(said(looked)).as("seed %d", seed).startsWith("TRUE");
        }
        assertThat(looked.requeueAfter()).isPositive();
      }
      for (var node : new String[] {"a", "b", "c"}) {
        any.reports(node, "2=healthy:kek", "1=healthy");
      }
      assertThat(said(any.after(600))).as("seed %d", seed).isEqualTo(WELL);
    }
  }
}
