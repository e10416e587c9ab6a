// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import io.krypton.kms.health.ProbeFinding.ProbePhase;
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
record ProbeHistory(
    int consecutiveFailures,
    int consecutiveSuccesses,
    List<Boolean> lastTen,
    @Nullable Failure first,
    @Nullable Duration unconnectedSince,
    @Nullable Duration goodSince) {
  static final ProbeHistory EMPTY = new ProbeHistory(0, 0, List.of(), null, null, null);

  private static final int WINDOW = 10;

  record Failure(ProbeFinding finding, Duration at) {}

  ProbeHistory {
    lastTen = List.copyOf(lastTen);
  }

  ProbeHistory withSuccess(Duration at) {
    var since = goodSince == null ? at : goodSince;
    return new ProbeHistory(0, consecutiveSuccesses + 1, remember(false), null, null, since);
  }

  ProbeHistory withFailure(ProbeFinding probeFinding, Duration at) {
    var start = first == null ? new Failure(probeFinding, at) : first;
    return new ProbeHistory(
        consecutiveFailures + 1, 0, remember(true), start, unconnected(probeFinding, at), null);
  }

  private @Nullable Duration unconnected(ProbeFinding probeFinding, Duration at) {
    if (probeFinding.phase() != ProbePhase.CONNECT) {
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
  ProbeHistory withoutWindow() {
    return new ProbeHistory(
        consecutiveFailures, consecutiveSuccesses, List.of(), first, unconnectedSince, goodSince);
  }

  ProbeHistory withoutSuccesses() {
    return new ProbeHistory(consecutiveFailures, 0, lastTen, first, unconnectedSince, null);
  }

  /** Whether something that began then began before the last failure was over. */
  boolean hasFailedSince(Duration begin) {
    return isFailing() || (goodSince != null && begin.compareTo(goodSince) < 0);
  }

  boolean isFailing() {
    return consecutiveFailures > 0;
  }

  long failuresAmongLastTen() {
    return lastTen.stream().filter(failed -> failed).count();
  }
}
