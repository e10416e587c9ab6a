// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.tenantclass.RolloutPolicy.WindowKind;
import io.krypton.api.tenantclass.RolloutPolicy.WindowSpec;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When updates may begin: outside of every Deny, and inside of an Allow if there is any. A window
 * lasts its duration by elapsed time, also where clocks change in it.
 */
public final class Windows {
  private static final Duration HORIZON = Duration.ofDays(366);

  /** Windows that follow each other closely are not followed for a year. */
  private static final int MOST_CHANGES = 1000;

  private final List<Window> windows;

  private Windows(List<Window> windows) {
    this.windows = windows;
  }

  private record Window(boolean allows, CronSchedule schedule, Duration duration) {
    boolean isActive(Instant now) {
      return schedule.latest(now.minus(duration), now) != null;
    }

    /** When it begins or ends next. */
    @Nullable Instant nextChange(Instant now) {
      var begun = schedule.latest(now.minus(duration), now);
      var end = begun == null ? null : begun.plus(duration);
      var next = schedule.next(now);
      if (end == null || next == null) {
        return end == null ? next : end;
      }
      return end.isBefore(next) ? end : next;
    }
  }

  /** The message of the exception names the window, the field, its value and what it may be. */
  public static Windows of(List<WindowSpec> specs) {
    var windows = new ArrayList<Window>();
    for (int i = 0; i < specs.size(); i++) {
      try {
        windows.add(windowOf(specs.get(i)));
      } catch (IllegalArgumentException invalid) {
        throw new IllegalArgumentException(
            "rollout.windows[%d]: %s".formatted(i, invalid.getMessage()), invalid);
      }
    }
    return new Windows(List.copyOf(windows));
  }

  private static Window windowOf(WindowSpec spec) {
    var duration = spec.duration();
    if (duration == null || !duration.value().isPositive()) {
      throw new IllegalArgumentException("duration must be longer than 0s, such as 8h");
    }
    // A kind that this version does not know is rather taken for a Deny.
    return new Window(
        spec.kind() == WindowKind.ALLOW,
        CronSchedule.parse(spec.schedule(), zoneOf(spec.timeZone())),
        duration.value());
  }

  private static ZoneId zoneOf(String name) {
    try {
      var zone = ZoneId.of(name);
      if (zone.getRules() != null && !name.startsWith("+") && !name.startsWith("-")) {
        return zone;
      }
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException(zoneMessage(name), unknown);
    }
    throw new IllegalArgumentException(zoneMessage(name));
  }

  private static String zoneMessage(String name) {
    return "timeZone '%s' is not known; give a name of the time zone database, such as Europe/Berlin"
        .formatted(name);
  }

  public boolean isOpen(Instant now) {
    var hasAllow = false;
    var inAllow = false;
    for (var window : windows) {
      hasAllow |= window.allows;
      if (window.isActive(now)) {
        if (!window.allows) {
          return false;
        }
        inAllow = true;
      }
    }
    return inAllow || !hasAllow;
  }

  /** When to look again; null if nothing begins or ends any more. */
  public @Nullable Instant nextChange(Instant now) {
    @Nullable Instant next = null;
    for (var window : windows) {
      var change = window.nextChange(now);
      if (change != null && (next == null || change.isBefore(next))) {
        next = change;
      }
    }
    return next;
  }

  /** When updates may begin again; null if not within a year. */
  @Nullable Instant opensAt(Instant now) {
    var limit = now.plus(HORIZON);
    var time = now;
    for (int i = 0; i < MOST_CHANGES; i++) {
      if (isOpen(time)) {
        return time;
      }
      var change = nextChange(time);
      if (change == null || change.isAfter(limit)) {
        return null;
      }
      time = change;
    }
    return null;
  }
}
