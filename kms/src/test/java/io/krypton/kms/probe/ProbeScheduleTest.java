// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.health.FailureClassifier;
import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.ProbeOutcome.UnreadableKey;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.health.VerdictDebounce;
import io.krypton.kms.probe.ScheduledPlugin.EarlyProbeBudget;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import io.krypton.kms.rpc.RpcCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ProbeScheduleTest {
  private static final FailureClassifier RULES = new FailureClassifier(FatalPatterns.DEFAULT);
  private static final RandomGenerator NO_SPREAD_UPWARDS = () -> 0L;

  private static final ProbeOutcome REFUSED =
      failing(new CallFailure.NoConnection(SocketFault.REFUSED, "ECONNREFUSED", "x"));
  private static final ProbeOutcome BROKEN_OFF =
      failing(new CallFailure.Rpc(RpcCode.UNAVAILABLE, "x"));
  private static final ProbeOutcome EXHAUSTED =
      failing(new CallFailure.Rpc(RpcCode.RESOURCE_EXHAUSTED, "x"));
  private static final ProbeOutcome LATE =
      failing(new CallFailure.Rpc(RpcCode.DEADLINE_EXCEEDED, "x"));
  private static final ProbeOutcome FORBIDDEN =
      failing(new CallFailure.Rpc(RpcCode.PERMISSION_DENIED, "x"));

  @Nested
  class OfAReporter {
    private final ProbeSchedule<ReportDebounce> probeSchedule = reporter("30s", "5m");

    @Test
    void a_healthy_plugin_is_probed_at_ticks_only_and_deeply_after_the_first_good_answer() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(0));
      deep(probeSchedule, 1, ProbeOutcome.GOOD, "k");
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(1 + 270));
      status(probeSchedule, 30, ProbeOutcome.GOOD, "k");
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(271));
    }

    @Test
    void a_new_key_is_tried_deeply_at_once() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 1, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, ProbeOutcome.GOOD, "k2");
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(30));
    }

    @Test
    void a_key_that_changes_during_a_round_trip_is_tried_after_it() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, ProbeOutcome.GOOD, "k2");
      deep(probeSchedule, 29, ProbeOutcome.GOOD, "k");
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(29));
    }

    @Test
    void an_unreadable_old_key_neither_fails_a_plugin_nor_costs_more_round_trips() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 1, oldKeyUnreadable(), "k");
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(1 + 270));
      deep(probeSchedule, 271, oldKeyUnreadable(), "k");
      assertThat(probeSchedule.assessment().failing()).isFalse();
      assertThat(probeSchedule.assessment().suspect()).isFalse();
    }

    @Test
    void an_unreadable_old_key_does_not_hold_up_recovery() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, LATE, "k");
      status(probeSchedule, 40, LATE, "k");
      assertThat(probeSchedule.assessment().failing()).isTrue();
      status(probeSchedule, 50, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 50, oldKeyUnreadable(), "k");
      assertThat(probeSchedule.assessment().failing()).isFalse();
    }

    @Test
    void a_broken_connection_is_confirmed_after_half_a_second() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 7, REFUSED, "k");
      assertThat(probeSchedule.nextStatus()).isEqualTo(Duration.ofMillis(7500));
      assertThat(probeSchedule.awaitsSocket()).isTrue();
      status(probeSchedule, 7.5, REFUSED, "k");
      assertThat(probeSchedule.assessment().failing()).isTrue();
      assertThat(probeSchedule.nextStatus()).isEqualTo(Duration.ofMillis(17500));
    }

    @Test
    void a_crash_during_a_probe_is_told_as_soon_as_one_between_two() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 7, BROKEN_OFF, "k");
      status(probeSchedule, 7.01, REFUSED, "k");
      assertThat(probeSchedule.assessment().failing()).isFalse();
      assertThat(probeSchedule.nextStatus()).isEqualTo(Duration.ofMillis(7510));
      status(probeSchedule, 7.51, REFUSED, "k");
      assertThat(probeSchedule.assessment().failing()).isTrue();
    }

    @Test
    void a_timeout_is_confirmed_after_ten_seconds_and_needs_no_look_at_the_socket() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, LATE, "k");
      expect(probeSchedule, seconds(40), ProbeSchedule.NEVER);
      assertThat(probeSchedule.awaitsSocket()).isFalse();
    }

    @Test
    void at_the_start_a_missing_socket_is_tried_every_ten_seconds_and_looked_at() {
      status(probeSchedule, 0, REFUSED, "");
      expect(probeSchedule, seconds(10), ProbeSchedule.NEVER);
      assertThat(probeSchedule.awaitsSocket()).isTrue();
    }

    @Test
    void recovery_is_proved_by_a_round_trip_at_once() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, LATE, "k");
      status(probeSchedule, 40, LATE, "k");
      status(probeSchedule, 50, ProbeOutcome.GOOD, "k");
      expect(probeSchedule, seconds(60), seconds(50));
      deep(probeSchedule, 50, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().failing()).isFalse();
    }

    @Test
    void a_failed_round_trip_is_repeated_after_ten_seconds_and_then_every_minute() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, FORBIDDEN, "k");
      assertThat(probeSchedule.nextDeep()).isEqualTo(seconds(10));
      deep(probeSchedule, 10, FORBIDDEN, "k");
      assertThat(probeSchedule.nextDeep()).isEqualTo(seconds(70));
      assertThat(probeSchedule.assessment().failing()).isTrue();
      deep(probeSchedule, 70, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().failing()).isFalse();
      deep(probeSchedule, 400, FORBIDDEN, "k");
      assertThat(probeSchedule.nextDeep()).as("counts anew").isEqualTo(seconds(410));
    }

    @Test
    void a_round_trip_that_ends_during_an_outage_plans_no_other() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, LATE, "k");
      deep(probeSchedule, 29, LATE, "k");
      assertThat(probeSchedule.nextDeep()).isEqualTo(ProbeSchedule.NEVER);
    }

    @Test
    void a_round_trip_begun_before_an_outage_does_not_end_it_and_delays_no_other() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, LATE, "k");
      status(probeSchedule, 40, LATE, "k");
      status(probeSchedule, 50, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 29, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().failing()).isTrue();
      assertThat(probeSchedule.nextDeep()).isEqualTo(seconds(50));
      deep(probeSchedule, 51, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().failing()).isFalse();
    }

    @Test
    void without_a_deep_interval_there_are_no_round_trips() {
      var shallow = reporter("30s", "0s");
      status(shallow, 0, ProbeOutcome.GOOD, "k");
      expect(shallow, ProbeSchedule.NEVER, ProbeSchedule.NEVER);
    }

    @Test
    void a_short_interval_is_also_the_delay_of_the_second_look() {
      var quick = reporter("2s", "5m");
      status(quick, 0, ProbeOutcome.GOOD, "k");
      status(quick, 2, LATE, "k");
      assertThat(quick.nextStatus()).isEqualTo(seconds(4));
    }

    private ProbeSchedule<ReportDebounce> reporter(String interval, String deepInterval) {
      return new ReporterProbeSchedule(
          new ReporterProbeSchedule.Settings(
              Duration.parse("PT" + interval), Duration.parse("PT" + deepInterval)),
          NO_SPREAD_UPWARDS);
    }
  }

  @Nested
  class OfAGate {
    private boolean gating = true;
    private final ProbeSchedule<VerdictDebounce> probeSchedule = gate(seconds(10));

    private ProbeSchedule<VerdictDebounce> gate(Duration unhealthyInterval) {
      return new GateProbeSchedule(
          new GateProbeSchedule.Settings(unhealthyInterval, Duration.ofMinutes(5), 3),
          () -> gating,
          PluginProbeResult::outcome,
          NO_SPREAD_UPWARDS);
    }

    @Test
    void ok_needs_a_round_trip() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().verdict()).isEqualTo(Verdict.WAIT);
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(0));
      deep(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().verdict()).isEqualTo(Verdict.OK);
      expect(probeSchedule, ProbeSchedule.NEVER, seconds(270));
    }

    @Test
    void before_the_first_pass_a_socket_is_tried_twice_a_second() {
      status(probeSchedule, 0, REFUSED, "");
      assertThat(probeSchedule.nextStatus()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void before_the_first_pass_failed_calls_are_repeated_ever_more_slowly() {
      var at = Duration.ZERO;
      for (var delay : List.of(800, 1200, 1800, 2700, 4050, 6075, 8000, 8000)) {
        status(probeSchedule, at.toMillis() / 1000.0, LATE, "");
        var next = probeSchedule.nextStatus();
        assertThat(next.minus(at).toMillis()).isEqualTo((long) delay);
        at = next;
      }
    }

    @Test
    void before_the_first_pass_no_pause_is_longer_than_the_unhealthy_interval() {
      var quick = gate(seconds(2));
      for (var at : List.of(0, 10, 20, 30)) {
        status(quick, at, LATE, "");
      }
      assertThat(quick.nextStatus()).isEqualTo(Duration.ofMillis(31_600));
    }

    @Test
    void a_doubt_becomes_a_verdict_at_the_second_look() {
      gating = false;
      var quick = gate(seconds(2));
      status(quick, 0, ProbeOutcome.GOOD, "k");
      deep(quick, 0, ProbeOutcome.GOOD, "k");
      status(quick, 10, LATE, "k");
      assertThat(quick.assessment().suspect()).isTrue();
      assertThat(quick.nextStatus()).isEqualTo(seconds(12));
      status(quick, 12, LATE, "k");
      assertThat(quick.assessment().verdict()).isEqualTo(Verdict.WAIT);
    }

    @Test
    void afterwards_every_failure_waits_for_the_unhealthy_interval() {
      gating = false;
      status(probeSchedule, 0, REFUSED, "");
      assertThat(probeSchedule.nextStatus()).isEqualTo(seconds(10));
      status(probeSchedule, 10, LATE, "");
      assertThat(probeSchedule.nextStatus()).isEqualTo(seconds(20));
    }

    @Test
    void a_fatal_candidate_is_always_followed_up_soon() {
      gating = false;
      for (var at : List.of(0.0, 2.5, 5.0)) {
        status(probeSchedule, at, FORBIDDEN, "");
      }
      assertThat(probeSchedule.nextStatus()).isEqualTo(Duration.ofMillis(7500));
      assertThat(probeSchedule.assessment().verdict()).isEqualTo(Verdict.FATAL);
    }

    @Test
    void a_failed_round_trip_leads_to_a_probe_of_all_levels() {
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, FORBIDDEN, "k");
      expect(probeSchedule, Duration.ofMillis(2500), ProbeSchedule.NEVER);
      status(probeSchedule, 2.5, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.nextDeep()).isEqualTo(Duration.ofMillis(2500));
      assertThat(probeSchedule.assessment().candidates()).as("Status alone is no OK").isEqualTo(1);
    }

    @Test
    void after_the_first_pass_a_failing_round_trip_is_confirmed_soon_and_then_costs_little() {
      gating = false;
      var quick = gate(seconds(2));
      status(quick, 0, ProbeOutcome.GOOD, "k");
      deep(quick, 0, ProbeOutcome.GOOD, "k");
      assertThat(pausesOf(quick, 300, BROKEN_OFF, 5)).containsExactly(2.0, 10.0, 60.0, 60.0, 60.0);
      deep(quick, 900, ProbeOutcome.GOOD, "k");
      assertThat(pausesOf(quick, 1200, FORBIDDEN, 6))
          .as("counts anew; three candidates make it FATAL")
          .containsExactly(2.5, 2.5, 10.0, 60.0, 60.0, 60.0);
      assertThat(quick.assessment().verdict()).isEqualTo(Verdict.FATAL);
    }

    @Test
    void a_kms_that_has_had_enough_is_asked_ever_less() {
      gating = false;
      var quick = gate(seconds(2));
      status(quick, 0, ProbeOutcome.GOOD, "k");
      deep(quick, 0, ProbeOutcome.GOOD, "k");
      assertThat(pausesOf(quick, 300, EXHAUSTED, 8))
          .containsExactly(2.0, 10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0);
    }

    @Test
    void before_the_first_pass_a_failing_round_trip_is_tried_every_ten_seconds_at_the_least() {
      var quick = gate(seconds(2));
      status(quick, 0, ProbeOutcome.GOOD, "k");
      assertThat(pausesOf(quick, 0, EXHAUSTED, 9))
          .containsExactly(0.8, 1.2, 1.8, 2.7, 4.05, 6.075, 8.0, 8.0, 8.0);
    }

    /** The pauses between round trips that fail, with a good Status at each tick. */
    private List<Double> pausesOf(
        ProbeSchedule<VerdictDebounce> pace, double from, ProbeOutcome probeOutcome, int times) {
      var pauses = new ArrayList<Double>();
      var at = from;
      for (int i = 0; i < times; i++) {
        deep(pace, at, probeOutcome, "k");
        assertThat(pace.nextDeep()).as("Status comes first").isEqualTo(ProbeSchedule.NEVER);
        var next = pace.nextStatus().toMillis() / 1000.0;
        pauses.add(Math.round((next - at) * 1000) / 1000.0);
        status(pace, at + 0.1, ProbeOutcome.GOOD, "k");
        assertThat(pace.nextDeep()).as("a tick is no reason to pay").isEqualTo(millis(next));
        status(pace, next, ProbeOutcome.GOOD, "k");
        assertThat(pace.nextDeep()).isEqualTo(millis(next));
        at = next;
      }
      return pauses;
    }

    private static Duration millis(double seconds) {
      return Duration.ofMillis(Math.round(seconds * 1000));
    }

    @Test
    void a_plugin_that_comes_back_or_has_a_new_key_is_tried_at_once() {
      gating = false;
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      for (var at : List.of(300, 310, 320)) {
        deep(probeSchedule, at, BROKEN_OFF, "k");
      }
      assertThat(probeSchedule.nextStatus()).isEqualTo(seconds(380));
      status(probeSchedule, 330, LATE, "k");
      status(probeSchedule, 340, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.nextDeep())
          .as("a slow Status changes nothing")
          .isEqualTo(seconds(380));
      status(probeSchedule, 350, ProbeOutcome.GOOD, "k2");
      assertThat(probeSchedule.nextDeep()).isEqualTo(seconds(350));
      deep(probeSchedule, 350, BROKEN_OFF, "k2");
      assertThat(probeSchedule.nextStatus()).isEqualTo(seconds(410));
      status(probeSchedule, 360, REFUSED, "k2");
      status(probeSchedule, 361, ProbeOutcome.GOOD, "k2");
      assertThat(probeSchedule.nextDeep()).isEqualTo(seconds(361));
    }

    @Test
    void a_round_trip_begun_before_an_outage_does_not_end_it() {
      gating = false;
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      status(probeSchedule, 30, LATE, "k");
      status(probeSchedule, 40, LATE, "k");
      status(probeSchedule, 50, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 29, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().verdict()).isEqualTo(Verdict.WAIT);
      assertThat(probeSchedule.nextDeep()).isEqualTo(seconds(50));
      deep(probeSchedule, 50, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void a_degradation_is_ok_and_stays_visible() {
      var old = oldKeyUnreadable();
      status(probeSchedule, 0, ProbeOutcome.GOOD, "k");
      deep(probeSchedule, 0, old, "k");
      status(probeSchedule, 60, ProbeOutcome.GOOD, "k");
      assertThat(probeSchedule.assessment().verdict()).isEqualTo(Verdict.OK);
      assertThat(probeSchedule.assessment().finding()).isEqualTo(old.finding());
    }
  }

  @Test
  void ten_fast_probes_a_minute_are_allowed() {
    var lane = new EarlyProbeBudget();
    for (int i = 0; i < 10; i++) {
      assertThat(lane.tryAcquire(seconds(i))).isTrue();
    }
    assertThat(lane.tryAcquire(seconds(59))).isFalse();
    assertThat(lane.tryAcquire(seconds(60))).isTrue();
    assertThat(lane.tryAcquire(seconds(60))).isFalse();
  }

  private static void expect(ProbeSchedule<?> probeSchedule, Duration status, Duration deep) {
    assertThat(List.of(probeSchedule.nextStatus(), probeSchedule.nextDeep()))
        .containsExactly(status, deep);
  }

  private static void status(
      ProbeSchedule<?> probeSchedule, double at, ProbeOutcome probeOutcome, String keyId) {
    probeSchedule.observe(result(ProbeLevel.STATUS, at, probeOutcome, keyId));
  }

  private static void deep(
      ProbeSchedule<?> probeSchedule, double at, ProbeOutcome probeOutcome, String keyId) {
    probeSchedule.observe(result(ProbeLevel.DEEP, at, probeOutcome, keyId));
  }

  private static PluginProbeResult result(
      ProbeLevel probeLevel, double at, ProbeOutcome probeOutcome, String keyId) {
    var start = Duration.ofMillis(Math.round(at * 1000));
    return new PluginProbeResult(
        "p",
        probeLevel,
        Instant.EPOCH,
        start,
        Duration.ZERO,
        probeOutcome,
        keyId,
        false,
        List.of());
  }

  private static ProbeOutcome.OldKeysUnreadable oldKeyUnreadable() {
    var old = new UnreadableKey("k0", RULES.canaryChanged());
    return (ProbeOutcome.OldKeysUnreadable) RULES.oldKeysUnreadable(List.of(old));
  }

  private static ProbeOutcome failing(CallFailure why) {
    return new ProbeOutcome.Failing(RULES.failedCall(ProbePhase.STATUS, why));
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
