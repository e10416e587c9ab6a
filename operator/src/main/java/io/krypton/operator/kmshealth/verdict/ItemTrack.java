package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.evidence.Moment;
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
 * @param goodSince since when it has been well without a break
 * @param recoveries when it was last shown as well again
 * @param lackingSince since when there has been no report about it
 * @param firstError the first check in a row that found it in error
 */
public record ItemTrack(
    Finding shown,
    @Nullable Duration goodSince,
    List<Duration> recoveries,
    @Nullable Duration lackingSince,
    @Nullable Instant firstError) {
  static final ItemTrack NEW = new ItemTrack(Finding.WAITING, null, List.of(), null, null);

  private static final Duration UNREST = Duration.ofMinutes(15);
  private static final int RESTLESS = 3;
  private static final int LONGER = 5;

  public ItemTrack {
    recoveries = List.copyOf(recoveries);
  }

  ItemTrack with(@Nullable Duration lacking, @Nullable Instant error) {
    return new ItemTrack(shown, goodSince, recoveries, lacking, error);
  }

  ItemTrack next(Finding found, Moment now, Duration hold) {
    return switch (found) {
      case Finding.Failing failing -> showing(worse(failing), null);
      case Finding.Waiting waiting -> showing(shown, null);
      case Finding.Good good -> better(good, now, hold);
    };
  }

  /** What is known to fail does not become unknown by falling silent or talking gibberish. */
  private Finding worse(Finding.Failing found) {
    return shown instanceof Finding.Failing before
            && before.trouble().isKnownBad()
            && !found.trouble().isKnownBad()
        ? before
        : found;
  }

  private ItemTrack better(Finding.Good good, Moment now, Duration hold) {
    if (!(shown instanceof Finding.Failing)) {
      return showing(good, null);
    }
    var since = goodSince == null ? now.uptime() : goodSince;
    if (now.since(since).compareTo(holdOf(hold, now)) < 0) {
      return showing(shown, since);
    }
    var recent = Stream.concat(recentRecoveries(now), Stream.of(now.uptime())).toList();
    return new ItemTrack(good, null, recent, lackingSince, firstError);
  }

  private Stream<Duration> recentRecoveries(Moment now) {
    return recoveries.stream().filter(at -> !now.isOver(at, UNREST));
  }

  private Duration holdOf(Duration hold, Moment now) {
    return recentRecoveries(now).count() >= RESTLESS ? hold.multipliedBy(LONGER) : hold;
  }

  private ItemTrack showing(Finding next, @Nullable Duration since) {
    return new ItemTrack(next, since, recoveries, lackingSince, firstError);
  }

  /** When it will be shown as well if it stays so. */
  Optional<Duration> nextChange(Moment now, Duration hold) {
    return goodSince == null ? Optional.empty() : Optional.of(goodSince.plus(holdOf(hold, now)));
  }
}
