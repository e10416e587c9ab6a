package io.krypton.kms.probe;

import io.krypton.kms.verdict.Confirmation;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
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
  private boolean answering;
  private boolean proven;
  private @Nullable Finding degraded;
  private String statusKeyId = "";
  private int failures;

  /**
   * How often a plugin is probed.
   *
   * @param unhealthyInterval between two probes of a failing plugin; also the least time between
   *     the two failures that end an OK, and the longest pause before the first pass
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
    var start = result.startedAt();
    nextStatus = NEVER;
    if (result.level() == Level.STATUS) {
      if (!proven || !statusKeyId.equals(result.keyId())) {
        nextDeep = start;
      } else {
        confirmation = confirmation.afterOk(degraded);
      }
      answering = true;
      statusKeyId = result.keyId();
    } else if (answering) {
      proven = true;
      failures = 0;
      degraded = degradation;
      confirmation = confirmation.afterOk(degradation);
      nextDeep = afterDeepInterval(result);
    }
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
    answering = result.level() == Level.DEEP && answering;
    proven = false;
    awaitsSocket = SocketHope.of(finding);
    nextDeep = NEVER;
    nextStatus = result.startedAt().plus(retry(finding));
    failures++;
  }

  private Duration retry(Finding finding) {
    if (finding.verdict() == Verdict.FATAL) {
      return FATAL_RETRY;
    }
    if (!gating.getAsBoolean()) {
      return settings.unhealthyInterval();
    }
    if (finding.phase() == Phase.CONNECT) {
      return CONNECT_RETRY;
    }
    var grown = FIRST_RETRY.toNanos() * Math.pow(GROWTH, Math.min(failures, 20));
    var longest = Math.min(LONGEST_RETRY.toNanos(), settings.unhealthyInterval().toNanos());
    var capped = Math.min(Math.round(grown), longest);
    return jitter.around(Duration.ofNanos(capped), RETRY_SPREAD);
  }
}
