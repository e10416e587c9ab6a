package io.krypton.multicluster.leader;

import java.time.Duration;
import java.time.Instant;

/**
 * What a Lease says. Times are for people who read it; nothing is decided by them.
 *
 * @param holder empty if nobody holds it
 * @param version of the stored object; a write names the version it replaces
 */
public record LeaseRecord(
    String holder,
    Duration duration,
    Instant acquired,
    Instant renewed,
    int transitions,
    String version) {

  /** The same statement by the same holder: nobody has renewed meanwhile. */
  boolean saysTheSameAs(LeaseRecord other) {
    return holder.equals(other.holder)
        && renewed.equals(other.renewed)
        && acquired.equals(other.acquired)
        && transitions == other.transitions;
  }
}
