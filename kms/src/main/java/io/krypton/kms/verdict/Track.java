package io.krypton.kms.verdict;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The recent past of one level of probing.
 *
 * @param lastTen whether each of the last probes failed, newest last
 * @param first the first failure of the present row of failures
 * @param unconnectedSince the first of the failures to connect that nothing else came after
 * @param goodSince the first of the present row of good ones
 */
record Track(
    int failuresInRow,
    int goodInRow,
    List<Boolean> lastTen,
    @Nullable Failure first,
    @Nullable Duration unconnectedSince,
    @Nullable Duration goodSince) {
  static final Track EMPTY = new Track(0, 0, List.of(), null, null, null);

  private static final int WINDOW = 10;

  record Failure(Finding finding, Duration at) {}

  Track {
    lastTen = List.copyOf(lastTen);
  }

  Track good(Duration at) {
    var since = goodSince == null ? at : goodSince;
    return new Track(0, goodInRow + 1, remember(false), null, null, since);
  }

  Track failed(Finding finding, Duration at) {
    var start = first == null ? new Failure(finding, at) : first;
    return new Track(failuresInRow + 1, 0, remember(true), start, unconnected(finding, at), null);
  }

  private @Nullable Duration unconnected(Finding finding, Duration at) {
    if (finding.phase() != Phase.CONNECT) {
      return null;
    }
    return unconnectedSince == null ? at : unconnectedSince;
  }

  private List<Boolean> remember(boolean failed) {
    return Stream.concat(lastTen.stream(), Stream.of(failed))
        .skip(Math.max(0, lastTen.size() + 1 - WINDOW))
        .toList();
  }

  /** Forgets what led to the last published change. */
  Track withoutPast() {
    return new Track(failuresInRow, goodInRow, List.of(), first, unconnectedSince, goodSince);
  }

  Track withoutGood() {
    return new Track(failuresInRow, 0, lastTen, first, unconnectedSince, null);
  }

  /** Whether something that began then began before the last failure was over. */
  boolean hasFailedSince(Duration begin) {
    return isFailing() || (goodSince != null && begin.compareTo(goodSince) < 0);
  }

  boolean isFailing() {
    return failuresInRow > 0;
  }

  long failuresAmongLastTen() {
    return lastTen.stream().filter(failed -> failed).count();
  }
}
