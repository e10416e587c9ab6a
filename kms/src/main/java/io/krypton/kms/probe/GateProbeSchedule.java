// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.base.time.Backoff;
import io.krypton.base.time.Jitter;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.health.VerdictDebounce;
import io.krypton.kms.probe.ProbeSchedule.RecoverableSocketError;
import io.krypton.kms.rpc.RpcCode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The pace of a gate: impatient before the first pass, calm afterwards; and its confirmations. */
public final class GateProbeSchedule implements ProbeSchedule<VerdictDebounce> {
  /** The pause after an observation that may turn out to be final. */
  public static final Duration FATAL_RETRY = Duration.ofMillis(2500);

  private static final Duration CONNECT_RETRY = Duration.ofMillis(500);
  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);
  private static final double GROWTH = 1.5;
  private static final double RETRY_SPREAD = 0.2;
  private static final double DEEP_SPREAD = 0.1;

  private final Settings settings;
  private final BooleanSupplier gating;
  private final Function<PluginProbeResult, ProbeOutcome> reading;
  private final Jitter jitter;
  private VerdictDebounce debounce;
  private Duration nextStatus = NEVER;
  private Duration nextDeep = NEVER;
  private boolean awaitsSocket;
  private Duration answeringSince = NEVER;
  private Duration deepNotBefore = Duration.ZERO;
  private int deepPauses;
  private boolean proven;
  private @Nullable ProbeFinding degraded;
  private String statusKeyId = "";
  private int failures;

  /**
   * How often a plugin is probed.
   *
   * @param unhealthyInterval between two probes of a failing plugin; also the least time between
   *     the two failures that end an OK, and the longest pause between two calls of Status before
   *     the first pass
   * @param deepInterval between two round trips; zero makes them at the start, for a new key, and
   *     on recovery only
   */
  public record Settings(
      Duration unhealthyInterval, Duration deepInterval, int fatalConfirmations) {}

  /**
   * Creates the schedule of one plugin.
   *
   * @param gating whether something still waits for the first pass
   * @param reading what a result means in the role of the plugin, usually {@code
   *     PluginProbeResult::outcome}
   */
  public GateProbeSchedule(
      Settings settings,
      BooleanSupplier gating,
      Function<PluginProbeResult, ProbeOutcome> reading,
      RandomGenerator random) {
    this.settings = settings;
    this.gating = gating;
    this.reading = reading;
    this.jitter = new Jitter(random);
    this.debounce =
        VerdictDebounce.initial(
            new VerdictDebounce.Rules(settings.fatalConfirmations(), settings.unhealthyInterval()));
  }

  @Override
  public VerdictDebounce assessment() {
    return debounce;
  }

  @Override
  public Duration nextStatus() {
    return nextStatus;
  }

  @Override
  public Duration nextDeep() {
    return nextDeep;
  }

  @Override
  public boolean awaitsSocket() {
    return awaitsSocket;
  }

  @Override
  public void observe(PluginProbeResult result) {
    if (result.level() == ProbeLevel.DEEP && result.startedAt().compareTo(answeringSince) < 0) {
      // Begun before an outage: the Status that ended it has planned another one.
      return;
    }
    awaitsSocket = false;
    switch (reading.apply(result)) {
      case ProbeOutcome.Good _ -> afterGood(result, null);
      case ProbeOutcome.OldKeysUnreadable(ProbeFinding finding, var _) ->
          afterGood(result, finding);
      case ProbeOutcome.Suspect(ProbeFinding finding) -> afterFailure(result, finding);
      case ProbeOutcome.Failing(ProbeFinding finding) -> {
        if (finding.verdict() == Verdict.OK) {
          afterGood(result, finding);
        } else {
          afterFailure(result, finding);
        }
      }
    }
  }

  private void afterGood(PluginProbeResult result, @Nullable ProbeFinding degradation) {
    nextStatus = NEVER;
    if (result.level() == ProbeLevel.STATUS) {
      afterGoodStatus(result);
    } else {
      proven = true;
      failures = 0;
      deepPauses = 0;
      deepNotBefore = Duration.ZERO;
      degraded = degradation;
      debounce = debounce.afterOk(degradation);
      nextDeep = afterDeepInterval(result);
    }
  }

  private void afterGoodStatus(PluginProbeResult result) {
    var start = result.startedAt();
    var newKey = !statusKeyId.equals(result.keyId());
    if (newKey) {
      deepNotBefore = Duration.ZERO;
    }
    if (!proven || newKey) {
      nextDeep = start.compareTo(deepNotBefore) >= 0 ? start : deepNotBefore;
    } else {
      debounce = debounce.afterOk(degraded);
    }
    answeringSince = answeringSince.equals(NEVER) ? start : answeringSince;
    statusKeyId = result.keyId();
  }

  private Duration afterDeepInterval(PluginProbeResult result) {
    if (!statusKeyId.equals(result.keyId())) {
      return result.startedAt();
    }
    return settings.deepInterval().isZero()
        ? NEVER
        : result.startedAt().plus(jitter.around(settings.deepInterval(), DEEP_SPREAD));
  }

  private void afterFailure(PluginProbeResult result, ProbeFinding finding) {
    debounce = debounce.afterFailure(finding, result.startedAt());
    proven = false;
    awaitsSocket = RecoverableSocketError.matches(finding);
    nextDeep = NEVER;
    if (result.level() == ProbeLevel.DEEP && finding.phase() != ProbePhase.CONNECT) {
      deepNotBefore = result.startedAt().plus(deepRetry(finding));
      nextStatus = deepNotBefore;
    } else {
      nextStatus = result.startedAt().plus(statusRetry(finding));
      answeringSince = NEVER;
      // Whoever comes back on a socket that was away is another process, which is tried at once.
      deepNotBefore = finding.phase() == ProbePhase.CONNECT ? Duration.ZERO : deepNotBefore;
    }
    failures++;
  }

  private Duration statusRetry(ProbeFinding finding) {
    if (finding.verdict() == Verdict.FATAL) {
      return FATAL_RETRY;
    }
    if (!gating.getAsBoolean()) {
      return settings.unhealthyInterval();
    }
    return finding.phase() == ProbePhase.CONNECT
        ? CONNECT_RETRY
        : backoff(settings.unhealthyInterval());
  }

  /** Soon until it is clear what the failure is worth; then paid calls are saved. */
  private Duration deepRetry(ProbeFinding finding) {
    if (finding.verdict() == Verdict.FATAL && debounce.verdict() != Verdict.FATAL) {
      return FATAL_RETRY;
    }
    if (gating.getAsBoolean()) {
      return backoff(LONGEST_RETRY);
    }
    if (debounce.suspect() || isRotation(finding)) {
      return settings.unhealthyInterval();
    }
    var pause = RoundTripBackoff.pause(finding, deepPauses);
    deepPauses++;
    return jitter.longer(pause, DEEP_SPREAD);
  }

  /** Encrypt works, and either Status follows soon or the verdict becomes FATAL. */
  private static boolean isRotation(ProbeFinding finding) {
    return finding.reason() == Reason.KEY_ID_MISMATCH && finding.verdict() == Verdict.WAIT;
  }

  private Duration backoff(Duration longest) {
    var grown = FIRST_RETRY.toNanos() * Math.pow(GROWTH, Math.min(failures, 20));
    var capped = Math.min(Math.round(grown), Math.min(LONGEST_RETRY.toNanos(), longest.toNanos()));
    return jitter.around(Duration.ofNanos(capped), RETRY_SPREAD);
  }

  /**
   * The pause before a round trip that goes on failing is tried again: each try costs money at a
   * remote KMS, and one that says that it has had enough wants to be left alone.
   */
  static final class RoundTripBackoff {
    private static final Duration FIRST = Duration.ofSeconds(10);
    private static final Duration LATER = Duration.ofSeconds(60);
    private static final Backoff EXHAUSTED = Backoff.doubling(FIRST, Duration.ofMinutes(5));

    private RoundTripBackoff() {}

    /**
     * The pause after a failure.
     *
     * @param before how many pauses there were already since the last good round trip
     */
    static Duration pause(ProbeFinding finding, int before) {
      if (!finding.code().equals(RpcCode.RESOURCE_EXHAUSTED.name())) {
        return before == 0 ? FIRST : LATER;
      }
      return EXHAUSTED.delay(before + 1);
    }
  }
}
