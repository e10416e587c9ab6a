// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.ProbeListener.PluginState;
import io.krypton.kms.rpc.PluginConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** One plugin in the care of a prober; its state belongs to the loop. */
final class ScheduledPlugin<J> {
  private static final Duration PATH_CHECK_INTERVAL = Duration.ofMillis(250);
  private static final Duration ABSTRACT_CHECK_INTERVAL = Duration.ofSeconds(1);

  final PluginSpec spec;
  final ProbeSchedule<J> schedule;
  final PluginConnection connection;
  final PluginProbe probe;
  final EarlyProbeBudget earlyProbes = new EarlyProbeBudget();

  boolean statusRunning;
  boolean deepRunning;
  boolean socketCheckRunning;
  boolean statusRequested;
  Duration nextSocketCheck = ProbeSchedule.NEVER;
  private @Nullable PluginProbeResult lastStatus;
  private @Nullable PluginProbeResult lastDeep;

  ScheduledPlugin(
      PluginSpec spec,
      ProbeSchedule<J> probeSchedule,
      PluginConnection connection,
      PluginProbe probe) {
    this.spec = spec;
    this.schedule = probeSchedule;
    this.connection = connection;
    this.probe = probe;
  }

  PluginState<J> after(PluginProbeResult result) {
    schedule.observe(result);
    if (result.level() == ProbeLevel.STATUS) {
      lastStatus = result;
    } else {
      lastDeep = result;
    }
    return new PluginState<>(spec, lastStatus, lastDeep, schedule.assessment());
  }

  boolean statusDue(Duration now) {
    return !statusRunning && (statusRequested || reached(schedule.nextStatus(), now));
  }

  boolean deepDue(Duration now) {
    return !deepRunning && reached(schedule.nextDeep(), now);
  }

  boolean socketCheckDue(Duration now) {
    return !socketCheckRunning && !statusRunning && reached(nextSocketCheck, now);
  }

  void scheduleSocketCheck(Duration now) {
    var pause = spec.endpoint().isAbstract() ? ABSTRACT_CHECK_INTERVAL : PATH_CHECK_INTERVAL;
    nextSocketCheck = schedule.awaitsSocket() ? now.plus(pause) : ProbeSchedule.NEVER;
  }

  /** The next moment at which something may be due that is not running. */
  Duration nextDue() {
    var next = ProbeSchedule.NEVER;
    if (!statusRunning) {
      next = statusRequested ? Duration.ZERO : earlier(next, schedule.nextStatus());
      next = socketCheckRunning ? next : earlier(next, nextSocketCheck);
    }
    return deepRunning ? next : earlier(next, schedule.nextDeep());
  }

  static Duration earlier(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static boolean reached(Duration moment, Duration now) {
    return now.compareTo(moment) >= 0;
  }

  /** Ten probes a minute may jump the queue, so that a plugin in a crash loop is not hammered. */
  static final class EarlyProbeBudget {
    private static final int PER_WINDOW = 10;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Deque<Duration> used = new ArrayDeque<>();

    boolean tryAcquire(Duration now) {
      while (!used.isEmpty() && now.minus(used.peekFirst()).compareTo(WINDOW) >= 0) {
        used.removeFirst();
      }
      if (used.size() >= PER_WINDOW) {
        return false;
      }
      used.addLast(now);
      return true;
    }
  }
}
