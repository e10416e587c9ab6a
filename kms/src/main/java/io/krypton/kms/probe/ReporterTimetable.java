package io.krypton.kms.probe;

import io.krypton.kms.verdict.Damping;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Published;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The pace of a reporter, and its damping. */
public final class ReporterTimetable implements Timetable<Damping> {
  private static final Duration REPROBE = Duration.ofSeconds(10);
  private static final Duration CONFIRM_CONNECT = Duration.ofMillis(500);
  private static final Duration FIRST_DEEP_RETRY = Duration.ofSeconds(10);
  private static final Duration DEEP_RETRY = Duration.ofSeconds(60);
  private static final double SPREAD = 0.1;

  private final Settings settings;
  private final Jitter jitter;
  private Damping damping;
  private Duration nextStatus = NEVER;
  private Duration nextDeep = NEVER;
  private Duration answeringSince = NEVER;
  private boolean awaitsSocket;
  private int deepFailures;
  private String statusKeyId = "";
  private boolean deepDone;

  /**
   * How often a plugin is probed.
   *
   * @param deepInterval between two round trips; zero switches them off
   */
  public record Settings(Duration interval, Duration deepInterval) {
    boolean deep() {
      return deepInterval.isPositive();
    }

    Duration reprobe() {
      return interval.compareTo(REPROBE) < 0 ? interval : REPROBE;
    }
  }

  public ReporterTimetable(Settings settings, RandomGenerator random) {
    this.settings = settings;
    this.jitter = new Jitter(random);
    this.damping = Damping.atStart(new Damping.Rules(settings.reprobe(), settings.deep()));
  }

  @Override
  public Damping judgement() {
    return damping;
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
    damping = damping.after(result.level(), result.outcome(), result.startedAt());
    if (result.level() == Level.STATUS) {
      afterStatus(result);
    } else if (result.startedAt().compareTo(answeringSince) >= 0) {
      afterDeep(result);
    }
  }

  private void afterStatus(ProbeResult result) {
    var start = result.startedAt();
    awaitsSocket = false;
    switch (result.outcome()) {
      case Outcome.Failing(Finding finding) -> {
        awaitsSocket = SocketHope.of(finding);
        nextStatus = start.plus(retry(finding));
        nextDeep = NEVER;
        answeringSince = NEVER;
      }
      case Outcome.Good _, Outcome.OldKeysUnreadable _, Outcome.Suspect _ -> {
        nextStatus = damping.failing() || damping.suspect() ? start.plus(reprobe()) : NEVER;
        var answering = !answeringSince.equals(NEVER);
        if (settings.deep() && (!answering || !deepDone || !statusKeyId.equals(result.keyId()))) {
          nextDeep = start;
        }
        answeringSince = answering ? answeringSince : start;
        statusKeyId = result.keyId();
      }
    }
  }

  /**
   * A connection that broke is tried again at once, to tell a crash within seconds: until that is
   * published, as a crash during a probe gives two failures too close to confirm each other.
   */
  private Duration retry(Finding finding) {
    var justBroke =
        damping.published() instanceof Published.Healthy && finding.phase() == Phase.CONNECT;
    return justBroke ? CONFIRM_CONNECT : reprobe();
  }

  private Duration reprobe() {
    return jitter.longer(settings.reprobe(), SPREAD);
  }

  private void afterDeep(ProbeResult result) {
    var start = result.startedAt();
    deepDone = true;
    if (!statusKeyId.equals(result.keyId())) {
      // The key changed while the round trip was under way.
      nextDeep = start;
    } else {
      nextDeep = start.plus(deepDelay(result.outcome()));
    }
  }

  private Duration deepDelay(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Failing _ -> {
        deepFailures++;
        yield deepFailures == 1 ? FIRST_DEEP_RETRY : DEEP_RETRY;
      }
      case Outcome.Suspect _ -> FIRST_DEEP_RETRY;
      case Outcome.Good _, Outcome.OldKeysUnreadable _ -> {
        deepFailures = 0;
        yield damping.failing() ? DEEP_RETRY : jitter.around(settings.deepInterval(), SPREAD);
      }
    };
  }
}
