package io.krypton.agent.reporter;

import java.time.Duration;
import java.time.Instant;

/**
 * What became of the renewals so far. Times count from the start of the process.
 *
 * @param settledTick the last tick that needs no renewal any more: renewed, or refused for good
 * @param renewedAt the time in the last renewal
 * @param refusals how often in a row the server forbade it or had no such namespace
 * @param held whether the server has a Lease of this process
 */
record LeaseTrack(
    long settledTick, Instant renewedAt, int refusals, Duration notBefore, boolean held) {
  /** After so many refusals the report itself becomes the heartbeat. */
  static final int PATIENCE = 3;

  static final Duration RETRY_REFUSED = Duration.ofSeconds(60);

  static final LeaseTrack START = new LeaseTrack(0, Instant.EPOCH, 0, Duration.ZERO, false);

  LeaseTrack renewed(long tick, Instant at) {
    return new LeaseTrack(tick, at, 0, Duration.ZERO, true);
  }

  /** The next tick may ask again; once given up, only every minute. */
  LeaseTrack refused(long tick, Duration now) {
    boolean enough = refusals + 1 >= PATIENCE;
    var next = enough ? now.plus(RETRY_REFUSED) : Duration.ZERO;
    return new LeaseTrack(tick, renewedAt, refusals + 1, next, held);
  }

  LeaseTrack failed(Duration retryAt) {
    return new LeaseTrack(settledTick, renewedAt, refusals, retryAt, held);
  }

  boolean isGivenUp() {
    return refusals >= PATIENCE;
  }

  boolean isPending(long tick) {
    return tick > settledTick;
  }
}
