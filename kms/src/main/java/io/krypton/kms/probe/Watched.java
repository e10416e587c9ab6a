package io.krypton.kms.probe;

import io.krypton.kms.protocol.PluginConnection;
import io.krypton.kms.verdict.Level;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One plugin in the care of a prober; its state belongs to the loop. */
final class Watched<J> {
  private static final Duration LOOK_AT_PATH = Duration.ofMillis(250);
  private static final Duration LOOK_AT_ABSTRACT = Duration.ofSeconds(1);

  final PluginSpec spec;
  final Timetable<J> timetable;
  final PluginConnection connection;
  final PluginProbe probe;
  final FastLane fastLane = new FastLane();

  boolean statusRuns;
  boolean deepRuns;
  boolean lookRuns;
  boolean wanted;
  Duration nextLook = Timetable.NEVER;
  private @Nullable ProbeResult lastStatus;
  private @Nullable ProbeResult lastDeep;

  Watched(PluginSpec spec, Timetable<J> timetable, PluginConnection connection, PluginProbe probe) {
    this.spec = spec;
    this.timetable = timetable;
    this.connection = connection;
    this.probe = probe;
  }

  PluginState<J> after(ProbeResult result) {
    timetable.observe(result);
    if (result.level() == Level.STATUS) {
      lastStatus = result;
    } else {
      lastDeep = result;
    }
    return new PluginState<>(spec, lastStatus, lastDeep, timetable.judgement());
  }

  boolean statusDue(Duration now) {
    return !statusRuns && (wanted || reached(timetable.nextStatus(), now));
  }

  boolean deepDue(Duration now) {
    return !deepRuns && reached(timetable.nextDeep(), now);
  }

  boolean lookDue(Duration now) {
    return !lookRuns && !statusRuns && reached(nextLook, now);
  }

  void planLook(Duration now) {
    var pause = spec.endpoint().isAbstract() ? LOOK_AT_ABSTRACT : LOOK_AT_PATH;
    nextLook = timetable.awaitsSocket() ? now.plus(pause) : Timetable.NEVER;
  }

  /** The next moment at which something may be due that is not running. */
  Duration nextMoment() {
    var next = Timetable.NEVER;
    if (!statusRuns) {
      next = wanted ? Duration.ZERO : earlier(next, timetable.nextStatus());
      next = lookRuns ? next : earlier(next, nextLook);
    }
    return deepRuns ? next : earlier(next, timetable.nextDeep());
  }

  private static Duration earlier(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  private static boolean reached(Duration moment, Duration now) {
    return now.compareTo(moment) >= 0;
  }
}
