// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.base.time.Jitter;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.health.ReportDebounce.PublishedState;
import io.krypton.kms.probe.ProbeSchedule.RecoverableSocketError;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The pace of a reporter, and its damping. */
public final class ReporterProbeSchedule implements ProbeSchedule<ReportDebounce> {
  private static final Duration REPROBE = Duration.ofSeconds(10);
  private static final Duration CONFIRM_CONNECT = Duration.ofMillis(500);
  private static final Duration FIRST_DEEP_RETRY = Duration.ofSeconds(10);
  private static final Duration DEEP_RETRY = Duration.ofSeconds(60);
  private static final double SPREAD = 0.1;

  private final Settings settings;
  private final Jitter jitter;
  private ReportDebounce debounce;
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

  public ReporterProbeSchedule(Settings settings, RandomGenerator random) {
    this.settings = settings;
    this.jitter = new Jitter(random);
    this.debounce =
        ReportDebounce.initial(new ReportDebounce.Rules(settings.reprobe(), settings.deep()));
  }

  @Override
  public ReportDebounce assessment() {
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
    debounce = debounce.after(result.level(), result.outcome(), result.startedAt());
    if (result.level() == ProbeLevel.STATUS) {
      afterStatus(result);
    } else if (result.startedAt().compareTo(answeringSince) >= 0) {
      afterDeep(result);
    }
  }

  private void afterStatus(PluginProbeResult result) {
    var start = result.startedAt();
    awaitsSocket = false;
    switch (result.outcome()) {
      case ProbeOutcome.Failing(ProbeFinding finding) -> {
        awaitsSocket = RecoverableSocketError.matches(finding);
        nextStatus = start.plus(retry(finding));
        nextDeep = NEVER;
        answeringSince = NEVER;
      }
      case ProbeOutcome.Good _, ProbeOutcome.OldKeysUnreadable _, ProbeOutcome.Suspect _ -> {
        nextStatus = debounce.failing() || debounce.suspect() ? start.plus(reprobe()) : NEVER;
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
   * A connection that broke is tried again at once, to report a crash within seconds: until that is
   * published, as a crash during a probe gives two failures too close to confirm each other.
   */
  private Duration retry(ProbeFinding finding) {
    var justBroke =
        debounce.published() instanceof PublishedState.Healthy
            && finding.phase() == ProbePhase.CONNECT;
    return justBroke ? CONFIRM_CONNECT : reprobe();
  }

  private Duration reprobe() {
    return jitter.longer(settings.reprobe(), SPREAD);
  }

  private void afterDeep(PluginProbeResult result) {
    var start = result.startedAt();
    deepDone = true;
    if (!statusKeyId.equals(result.keyId())) {
      // The key changed while the round trip was under way.
      nextDeep = start;
    } else {
      nextDeep = start.plus(deepDelay(result.outcome()));
    }
  }

  private Duration deepDelay(ProbeOutcome probeOutcome) {
    return switch (probeOutcome) {
      case ProbeOutcome.Failing _ -> {
        deepFailures++;
        yield deepFailures == 1 ? FIRST_DEEP_RETRY : DEEP_RETRY;
      }
      case ProbeOutcome.Suspect _ -> FIRST_DEEP_RETRY;
      case ProbeOutcome.Good _, ProbeOutcome.OldKeysUnreadable _ -> {
        deepFailures = 0;
        yield debounce.failing() ? DEEP_RETRY : jitter.around(settings.deepInterval(), SPREAD);
      }
    };
  }
}
