// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.operator.kmshealth.input.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is shown of one plugin. It gets worse at once and better after a while, so that a plugin
 * that fails now and then is shown as failing all the time.
 *
 * @param healthySince since when it has been well without a break
 * @param recoveries when it was last shown as well again
 * @param missingSince since when there has been no report about it
 * @param firstError the first check in a row that found it in error
 */
public record PluginDebounce(
    PluginFinding shown,
    @Nullable Duration healthySince,
    List<Duration> recoveries,
    @Nullable Duration missingSince,
    @Nullable Instant firstError) {
  static final PluginDebounce NEW =
      new PluginDebounce(PluginFinding.PENDING, null, List.of(), null, null);

  private static final Duration FLAP_WINDOW = Duration.ofMinutes(15);
  private static final int FLAP_THRESHOLD = 3;
  private static final int FLAP_HOLD_FACTOR = 5;

  public PluginDebounce {
    recoveries = List.copyOf(recoveries);
  }

  PluginDebounce with(@Nullable Duration lacking, @Nullable Instant error) {
    return new PluginDebounce(shown, healthySince, recoveries, lacking, error);
  }

  PluginDebounce next(PluginFinding found, ClockReading now, Duration hold) {
    return switch (found) {
      case PluginFinding.Failing failing -> showing(worse(failing), null);
      case PluginFinding.Pending pending -> showing(shown, null);
      case PluginFinding.Healthy healthy -> better(healthy, now, hold);
    };
  }

  /** What is known to fail does not become unknown by falling silent or talking gibberish. */
  private PluginFinding worse(PluginFinding.Failing found) {
    return shown instanceof PluginFinding.Failing before
            && before.reason().isKnownBad()
            && !found.reason().isKnownBad()
        ? before
        : found;
  }

  private PluginDebounce better(PluginFinding.Healthy healthy, ClockReading now, Duration hold) {
    if (!(shown instanceof PluginFinding.Failing)) {
      return showing(healthy, null);
    }
    var since = healthySince == null ? now.uptime() : healthySince;
    if (now.since(since).compareTo(recoveryHold(hold, now)) < 0) {
      return showing(shown, since);
    }
    var recent = Stream.concat(recentRecoveries(now), Stream.of(now.uptime())).toList();
    return new PluginDebounce(healthy, null, recent, missingSince, firstError);
  }

  private Stream<Duration> recentRecoveries(ClockReading now) {
    return recoveries.stream().filter(at -> !now.hasElapsed(at, FLAP_WINDOW));
  }

  private Duration recoveryHold(Duration hold, ClockReading now) {
    return recentRecoveries(now).count() >= FLAP_THRESHOLD
        ? hold.multipliedBy(FLAP_HOLD_FACTOR)
        : hold;
  }

  private PluginDebounce showing(PluginFinding next, @Nullable Duration since) {
    return new PluginDebounce(next, since, recoveries, missingSince, firstError);
  }

  /** When it will be shown as well if it stays so. */
  Optional<Duration> nextChange(ClockReading now, Duration hold) {
    return healthySince == null
        ? Optional.empty()
        : Optional.of(healthySince.plus(recoveryHold(hold, now)));
  }
}
