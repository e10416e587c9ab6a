package io.krypton.kms.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.protocol.SocketFault;
import io.krypton.kms.verdict.Classification;
import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.Damping;
import io.krypton.kms.verdict.FatalPatterns;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.UnreadableKey;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TimetableTest {
  private static final Classification RULES = new Classification(FatalPatterns.DEFAULT);
  private static final RandomGenerator NO_SPREAD_UPWARDS = () -> 0L;

  private static final Outcome REFUSED =
      failing(new CallFailure.NoConnection(SocketFault.REFUSED, "ECONNREFUSED", "x"));
  private static final Outcome BROKEN_OFF = failing(new CallFailure.Rpc(RpcCode.UNAVAILABLE, "x"));
  private static final Outcome EXHAUSTED =
      failing(new CallFailure.Rpc(RpcCode.RESOURCE_EXHAUSTED, "x"));
  private static final Outcome LATE = failing(new CallFailure.Rpc(RpcCode.DEADLINE_EXCEEDED, "x"));
  private static final Outcome FORBIDDEN =
      failing(new CallFailure.Rpc(RpcCode.PERMISSION_DENIED, "x"));

  @Nested
  class OfAReporter {
    private final Timetable<Damping> timetable = reporter("30s", "5m");

    @Test
    void a_healthy_plugin_is_probed_at_ticks_only_and_deeply_after_the_first_good_answer() {
      status(timetable, 0, Outcome.GOOD, "k");
      expect(timetable, Timetable.NEVER, seconds(0));
      deep(timetable, 1, Outcome.GOOD, "k");
      expect(timetable, Timetable.NEVER, seconds(1 + 270));
      status(timetable, 30, Outcome.GOOD, "k");
      expect(timetable, Timetable.NEVER, seconds(271));
    }

    @Test
    void a_new_key_is_tried_deeply_at_once() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 1, Outcome.GOOD, "k");
      status(timetable, 30, Outcome.GOOD, "k2");
      expect(timetable, Timetable.NEVER, seconds(30));
    }

    @Test
    void a_key_that_changes_during_a_round_trip_is_tried_after_it() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, Outcome.GOOD, "k2");
      deep(timetable, 29, Outcome.GOOD, "k");
      expect(timetable, Timetable.NEVER, seconds(29));
    }

    @Test
    void an_unreadable_old_key_neither_fails_a_plugin_nor_costs_more_round_trips() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 1, oldKeyUnreadable(), "k");
      expect(timetable, Timetable.NEVER, seconds(1 + 270));
      deep(timetable, 271, oldKeyUnreadable(), "k");
      assertThat(timetable.judgement().failing()).isFalse();
      assertThat(timetable.judgement().suspect()).isFalse();
    }

    @Test
    void an_unreadable_old_key_does_not_hold_up_recovery() {
      status(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, LATE, "k");
      status(timetable, 40, LATE, "k");
      assertThat(timetable.judgement().failing()).isTrue();
      status(timetable, 50, Outcome.GOOD, "k");
      deep(timetable, 50, oldKeyUnreadable(), "k");
      assertThat(timetable.judgement().failing()).isFalse();
    }

    @Test
    void a_broken_connection_is_confirmed_after_half_a_second() {
      status(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 7, REFUSED, "k");
      assertThat(timetable.nextStatus()).isEqualTo(Duration.ofMillis(7500));
      assertThat(timetable.awaitsSocket()).isTrue();
      status(timetable, 7.5, REFUSED, "k");
      assertThat(timetable.judgement().failing()).isTrue();
      assertThat(timetable.nextStatus()).isEqualTo(Duration.ofMillis(17500));
    }

    @Test
    void a_crash_during_a_probe_is_told_as_soon_as_one_between_two() {
      status(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 7, BROKEN_OFF, "k");
      status(timetable, 7.01, REFUSED, "k");
      assertThat(timetable.judgement().failing()).isFalse();
      assertThat(timetable.nextStatus()).isEqualTo(Duration.ofMillis(7510));
      status(timetable, 7.51, REFUSED, "k");
      assertThat(timetable.judgement().failing()).isTrue();
    }

    @Test
    void a_timeout_is_confirmed_after_ten_seconds_and_needs_no_look_at_the_socket() {
      status(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, LATE, "k");
      expect(timetable, seconds(40), Timetable.NEVER);
      assertThat(timetable.awaitsSocket()).isFalse();
    }

    @Test
    void at_the_start_a_missing_socket_is_tried_every_ten_seconds_and_looked_at() {
      status(timetable, 0, REFUSED, "");
      expect(timetable, seconds(10), Timetable.NEVER);
      assertThat(timetable.awaitsSocket()).isTrue();
    }

    @Test
    void recovery_is_proved_by_a_round_trip_at_once() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, LATE, "k");
      status(timetable, 40, LATE, "k");
      status(timetable, 50, Outcome.GOOD, "k");
      expect(timetable, seconds(60), seconds(50));
      deep(timetable, 50, Outcome.GOOD, "k");
      assertThat(timetable.judgement().failing()).isFalse();
    }

    @Test
    void a_failed_round_trip_is_repeated_after_ten_seconds_and_then_every_minute() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, FORBIDDEN, "k");
      assertThat(timetable.nextDeep()).isEqualTo(seconds(10));
      deep(timetable, 10, FORBIDDEN, "k");
      assertThat(timetable.nextDeep()).isEqualTo(seconds(70));
      assertThat(timetable.judgement().failing()).isTrue();
      deep(timetable, 70, Outcome.GOOD, "k");
      assertThat(timetable.judgement().failing()).isFalse();
      deep(timetable, 400, FORBIDDEN, "k");
      assertThat(timetable.nextDeep()).as("counts anew").isEqualTo(seconds(410));
    }

    @Test
    void a_round_trip_that_ends_during_an_outage_plans_no_other() {
      status(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, LATE, "k");
      deep(timetable, 29, LATE, "k");
      assertThat(timetable.nextDeep()).isEqualTo(Timetable.NEVER);
    }

    @Test
    void a_round_trip_begun_before_an_outage_does_not_end_it_and_delays_no_other() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, LATE, "k");
      status(timetable, 40, LATE, "k");
      status(timetable, 50, Outcome.GOOD, "k");
      deep(timetable, 29, Outcome.GOOD, "k");
      assertThat(timetable.judgement().failing()).isTrue();
      assertThat(timetable.nextDeep()).isEqualTo(seconds(50));
      deep(timetable, 51, Outcome.GOOD, "k");
      assertThat(timetable.judgement().failing()).isFalse();
    }

    @Test
    void without_a_deep_interval_there_are_no_round_trips() {
      var shallow = reporter("30s", "0s");
      status(shallow, 0, Outcome.GOOD, "k");
      expect(shallow, Timetable.NEVER, Timetable.NEVER);
    }

    @Test
    void a_short_interval_is_also_the_delay_of_the_second_look() {
      var quick = reporter("2s", "5m");
      status(quick, 0, Outcome.GOOD, "k");
      status(quick, 2, LATE, "k");
      assertThat(quick.nextStatus()).isEqualTo(seconds(4));
    }

    private Timetable<Damping> reporter(String interval, String deepInterval) {
      return new ReporterTimetable(
          new ReporterTimetable.Settings(
              Duration.parse("PT" + interval), Duration.parse("PT" + deepInterval)),
          NO_SPREAD_UPWARDS);
    }
  }

  @Nested
  class OfAGate {
    private boolean gating = true;
    private final Timetable<Confirmation> timetable = gate(seconds(10));

    private Timetable<Confirmation> gate(Duration unhealthyInterval) {
      return new GateTimetable(
          new GateTimetable.Settings(unhealthyInterval, Duration.ofMinutes(5), 3),
          () -> gating,
          ProbeResult::outcome,
          NO_SPREAD_UPWARDS);
    }

    @Test
    void ok_needs_a_round_trip() {
      status(timetable, 0, Outcome.GOOD, "k");
      assertThat(timetable.judgement().verdict()).isEqualTo(Verdict.WAIT);
      expect(timetable, Timetable.NEVER, seconds(0));
      deep(timetable, 0, Outcome.GOOD, "k");
      assertThat(timetable.judgement().verdict()).isEqualTo(Verdict.OK);
      expect(timetable, Timetable.NEVER, seconds(270));
    }

    @Test
    void before_the_first_pass_a_socket_is_tried_twice_a_second() {
      status(timetable, 0, REFUSED, "");
      assertThat(timetable.nextStatus()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void before_the_first_pass_failed_calls_are_repeated_ever_more_slowly() {
      var at = Duration.ZERO;
      for (var delay : List.of(800, 1200, 1800, 2700, 4050, 6075, 8000, 8000)) {
        status(timetable, at.toMillis() / 1000.0, LATE, "");
        var next = timetable.nextStatus();
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
      status(quick, 0, Outcome.GOOD, "k");
      deep(quick, 0, Outcome.GOOD, "k");
      status(quick, 10, LATE, "k");
      assertThat(quick.judgement().suspect()).isTrue();
      assertThat(quick.nextStatus()).isEqualTo(seconds(12));
      status(quick, 12, LATE, "k");
      assertThat(quick.judgement().verdict()).isEqualTo(Verdict.WAIT);
    }

    @Test
    void afterwards_every_failure_waits_for_the_unhealthy_interval() {
      gating = false;
      status(timetable, 0, REFUSED, "");
      assertThat(timetable.nextStatus()).isEqualTo(seconds(10));
      status(timetable, 10, LATE, "");
      assertThat(timetable.nextStatus()).isEqualTo(seconds(20));
    }

    @Test
    void a_fatal_candidate_is_always_followed_up_soon() {
      gating = false;
      for (var at : List.of(0.0, 2.5, 5.0)) {
        status(timetable, at, FORBIDDEN, "");
      }
      assertThat(timetable.nextStatus()).isEqualTo(Duration.ofMillis(7500));
      assertThat(timetable.judgement().verdict()).isEqualTo(Verdict.FATAL);
    }

    @Test
    void a_failed_round_trip_leads_to_a_probe_of_all_levels() {
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, FORBIDDEN, "k");
      expect(timetable, Duration.ofMillis(2500), Timetable.NEVER);
      status(timetable, 2.5, Outcome.GOOD, "k");
      assertThat(timetable.nextDeep()).isEqualTo(Duration.ofMillis(2500));
      assertThat(timetable.judgement().candidates()).as("Status alone is no OK").isEqualTo(1);
    }

    @Test
    void after_the_first_pass_a_failing_round_trip_is_confirmed_soon_and_then_costs_little() {
      gating = false;
      var quick = gate(seconds(2));
      status(quick, 0, Outcome.GOOD, "k");
      deep(quick, 0, Outcome.GOOD, "k");
      assertThat(pausesOf(quick, 300, BROKEN_OFF, 5)).containsExactly(2.0, 10.0, 60.0, 60.0, 60.0);
      deep(quick, 900, Outcome.GOOD, "k");
      assertThat(pausesOf(quick, 1200, FORBIDDEN, 6))
          .as("counts anew; three candidates make it FATAL")
          .containsExactly(2.5, 2.5, 10.0, 60.0, 60.0, 60.0);
      assertThat(quick.judgement().verdict()).isEqualTo(Verdict.FATAL);
    }

    @Test
    void a_kms_that_has_had_enough_is_asked_ever_less() {
      gating = false;
      var quick = gate(seconds(2));
      status(quick, 0, Outcome.GOOD, "k");
      deep(quick, 0, Outcome.GOOD, "k");
      assertThat(pausesOf(quick, 300, EXHAUSTED, 8))
          .containsExactly(2.0, 10.0, 20.0, 40.0, 80.0, 160.0, 300.0, 300.0);
    }

    @Test
    void before_the_first_pass_a_failing_round_trip_is_tried_every_ten_seconds_at_the_least() {
      var quick = gate(seconds(2));
      status(quick, 0, Outcome.GOOD, "k");
      assertThat(pausesOf(quick, 0, EXHAUSTED, 9))
          .containsExactly(0.8, 1.2, 1.8, 2.7, 4.05, 6.075, 8.0, 8.0, 8.0);
    }

    /** The pauses between round trips that fail, with a good Status at each tick. */
    private List<Double> pausesOf(
        Timetable<Confirmation> pace, double from, Outcome outcome, int times) {
      var pauses = new ArrayList<Double>();
      var at = from;
      for (int i = 0; i < times; i++) {
        deep(pace, at, outcome, "k");
        assertThat(pace.nextDeep()).as("Status comes first").isEqualTo(Timetable.NEVER);
        var next = pace.nextStatus().toMillis() / 1000.0;
        pauses.add(Math.round((next - at) * 1000) / 1000.0);
        status(pace, at + 0.1, Outcome.GOOD, "k");
        assertThat(pace.nextDeep()).as("a tick is no reason to pay").isEqualTo(millis(next));
        status(pace, next, Outcome.GOOD, "k");
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
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, Outcome.GOOD, "k");
      for (var at : List.of(300, 310, 320)) {
        deep(timetable, at, BROKEN_OFF, "k");
      }
      assertThat(timetable.nextStatus()).isEqualTo(seconds(380));
      status(timetable, 330, LATE, "k");
      status(timetable, 340, Outcome.GOOD, "k");
      assertThat(timetable.nextDeep()).as("a slow Status changes nothing").isEqualTo(seconds(380));
      status(timetable, 350, Outcome.GOOD, "k2");
      assertThat(timetable.nextDeep()).isEqualTo(seconds(350));
      deep(timetable, 350, BROKEN_OFF, "k2");
      assertThat(timetable.nextStatus()).isEqualTo(seconds(410));
      status(timetable, 360, REFUSED, "k2");
      status(timetable, 361, Outcome.GOOD, "k2");
      assertThat(timetable.nextDeep()).isEqualTo(seconds(361));
    }

    @Test
    void a_round_trip_begun_before_an_outage_does_not_end_it() {
      gating = false;
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, Outcome.GOOD, "k");
      status(timetable, 30, LATE, "k");
      status(timetable, 40, LATE, "k");
      status(timetable, 50, Outcome.GOOD, "k");
      deep(timetable, 29, Outcome.GOOD, "k");
      assertThat(timetable.judgement().verdict()).isEqualTo(Verdict.WAIT);
      assertThat(timetable.nextDeep()).isEqualTo(seconds(50));
      deep(timetable, 50, Outcome.GOOD, "k");
      assertThat(timetable.judgement().verdict()).isEqualTo(Verdict.OK);
    }

    @Test
    void a_degradation_is_ok_and_stays_visible() {
      var old = oldKeyUnreadable();
      status(timetable, 0, Outcome.GOOD, "k");
      deep(timetable, 0, old, "k");
      status(timetable, 60, Outcome.GOOD, "k");
      assertThat(timetable.judgement().verdict()).isEqualTo(Verdict.OK);
      assertThat(timetable.judgement().finding()).isEqualTo(old.finding());
    }
  }

  @Test
  void ten_fast_probes_a_minute_are_allowed() {
    var lane = new FastLane();
    for (int i = 0; i < 10; i++) {
      assertThat(lane.take(seconds(i))).isTrue();
    }
    assertThat(lane.take(seconds(59))).isFalse();
    assertThat(lane.take(seconds(60))).isTrue();
    assertThat(lane.take(seconds(60))).isFalse();
  }

  private static void expect(Timetable<?> timetable, Duration status, Duration deep) {
    assertThat(List.of(timetable.nextStatus(), timetable.nextDeep())).containsExactly(status, deep);
  }

  private static void status(Timetable<?> timetable, double at, Outcome outcome, String keyId) {
    timetable.observe(result(Level.STATUS, at, outcome, keyId));
  }

  private static void deep(Timetable<?> timetable, double at, Outcome outcome, String keyId) {
    timetable.observe(result(Level.DEEP, at, outcome, keyId));
  }

  private static ProbeResult result(Level level, double at, Outcome outcome, String keyId) {
    var start = Duration.ofMillis(Math.round(at * 1000));
    return new ProbeResult(
        "p", level, Instant.EPOCH, start, Duration.ZERO, outcome, keyId, false, List.of());
  }

  private static Outcome.OldKeysUnreadable oldKeyUnreadable() {
    var old = new UnreadableKey("k0", RULES.canaryChanged());
    return (Outcome.OldKeysUnreadable) RULES.oldKeysUnreadable(List.of(old));
  }

  private static Outcome failing(CallFailure why) {
    return new Outcome.Failing(RULES.failedCall(Phase.STATUS, why));
  }

  private static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }
}
