package io.krypton.kms.probe;

import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The pace of a gate: impatient before the first pass, calm afterwards; and its confirmations. */
public final class GateTimetable implements Timetable<Confirmation> {
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
  private final Function<ProbeResult, Outcome> reading;
  private final Jitter jitter;
  private Confirmation confirmation;
  private Duration nextStatus = NEVER;
  private Duration nextDeep = NEVER;
  private boolean awaitsSocket;
  private Duration answeringSince = NEVER;
  private Duration deepNotBefore = Duration.ZERO;
  private int deepPauses;
  private boolean proven;
  private @Nullable Finding degraded;
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
   * Creates the timetable of one plugin.
   *
   * @param gating whether something still waits for the first pass
   * @param reading what a result means in the role of the plugin, usually {@code
   *     ProbeResult::outcome}
   */
  public GateTimetable(
      Settings settings,
      BooleanSupplier gating,
      Function<ProbeResult, Outcome> reading,
      RandomGenerator random) {
    this.settings = settings;
    this.gating = gating;
    this.reading = reading;
    this.jitter = new Jitter(random);
    this.confirmation =
        Confirmation.atStart(
            new Confirmation.Rules(settings.fatalConfirmations(), settings.unhealthyInterval()));
  }

  @Override
  public Confirmation judgement() {
    return confirmation;
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
  public void observe(ProbeResult result) {
    if (result.level() == Level.DEEP && result.startedAt().compareTo(answeringSince) < 0) {
      // Begun before an outage: the Status that ended it has planned another one.
      return;
    }
    awaitsSocket = false;
    switch (reading.apply(result)) {
      case Outcome.Good _ -> afterGood(result, null);
      case Outcome.OldKeysUnreadable(Finding finding, var _) -> afterGood(result, finding);
      case Outcome.Suspect(Finding finding) -> afterFailure(result, finding);
      case Outcome.Failing(Finding finding) -> {
        if (finding.verdict() == Verdict.OK) {
          afterGood(result, finding);
        } else {
          afterFailure(result, finding);
        }
      }
    }
  }

  private void afterGood(ProbeResult result, @Nullable Finding degradation) {
    nextStatus = NEVER;
    if (result.level() == Level.STATUS) {
      afterGoodStatus(result);
    } else {
      proven = true;
      failures = 0;
      deepPauses = 0;
      deepNotBefore = Duration.ZERO;
      degraded = degradation;
      confirmation = confirmation.afterOk(degradation);
      nextDeep = afterDeepInterval(result);
    }
  }

  private void afterGoodStatus(ProbeResult result) {
    var start = result.startedAt();
    var newKey = !statusKeyId.equals(result.keyId());
    if (newKey) {
      deepNotBefore = Duration.ZERO;
    }
    if (!proven || newKey) {
      nextDeep = start.compareTo(deepNotBefore) >= 0 ? start : deepNotBefore;
    } else {
      confirmation = confirmation.afterOk(degraded);
    }
    answeringSince = answeringSince.equals(NEVER) ? start : answeringSince;
    statusKeyId = result.keyId();
  }

  private Duration afterDeepInterval(ProbeResult result) {
    if (!statusKeyId.equals(result.keyId())) {
      return result.startedAt();
    }
    return settings.deepInterval().isZero()
        ? NEVER
        : result.startedAt().plus(jitter.around(settings.deepInterval(), DEEP_SPREAD));
  }

  private void afterFailure(ProbeResult result, Finding finding) {
    confirmation = confirmation.afterFailure(finding, result.startedAt());
    proven = false;
    awaitsSocket = SocketHope.of(finding);
    nextDeep = NEVER;
    if (result.level() == Level.DEEP && finding.phase() != Phase.CONNECT) {
      deepNotBefore = result.startedAt().plus(deepRetry(finding));
      nextStatus = deepNotBefore;
    } else {
      nextStatus = result.startedAt().plus(statusRetry(finding));
      answeringSince = NEVER;
      // Whoever comes back on a socket that was away is another process, which is tried at once.
      deepNotBefore = finding.phase() == Phase.CONNECT ? Duration.ZERO : deepNotBefore;
    }
    failures++;
  }

  private Duration statusRetry(Finding finding) {
    if (finding.verdict() == Verdict.FATAL) {
      return FATAL_RETRY;
    }
    if (!gating.getAsBoolean()) {
      return settings.unhealthyInterval();
    }
    return finding.phase() == Phase.CONNECT ? CONNECT_RETRY : grown(settings.unhealthyInterval());
  }

  /** Soon until it is clear what the failure is worth; then paid calls are saved. */
  private Duration deepRetry(Finding finding) {
    if (finding.verdict() == Verdict.FATAL && confirmation.verdict() != Verdict.FATAL) {
      return FATAL_RETRY;
    }
    if (gating.getAsBoolean()) {
      return grown(LONGEST_RETRY);
    }
    if (confirmation.suspect() || isRotation(finding)) {
      return settings.unhealthyInterval();
    }
    var pause = RoundTripBackoff.pause(finding, deepPauses);
    deepPauses++;
    return jitter.longer(pause, DEEP_SPREAD);
  }

  /** Encrypt works, and either Status follows soon or the verdict becomes FATAL. */
  private static boolean isRotation(Finding finding) {
    return finding.reason() == Reason.KEY_ID_MISMATCH && finding.verdict() == Verdict.WAIT;
  }

  private Duration grown(Duration longest) {
    var grown = FIRST_RETRY.toNanos() * Math.pow(GROWTH, Math.min(failures, 20));
    var capped = Math.min(Math.round(grown), Math.min(LONGEST_RETRY.toNanos(), longest.toNanos()));
    return jitter.around(Duration.ofNanos(capped), RETRY_SPREAD);
  }
}
