package io.krypton.multicluster.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Where the lease is kept. All methods block for a bounded time and throw on transport failures.
 */
public interface LeaseStore {
  Optional<LeaseRecord> read();

  /** Writes a lease where none is; empty if somebody was faster. */
  Optional<LeaseRecord> create(LeaseRecord wanted);

  /** Replaces the version that {@code wanted} names; empty if that is no longer the stored one. */
  Optional<LeaseRecord> replace(LeaseRecord wanted);

  /**
   * What a Lease says. Times are for people who read it; nothing is decided by them.
   *
   * @param holder empty if nobody holds it
   * @param version of the stored object; a write names the version it replaces
   */
  record LeaseRecord(
      String holder,
      Duration duration,
      Instant acquired,
      Instant renewed,
      int transitions,
      String version) {

    /** The same statement by the same holder: nobody has renewed meanwhile. */
    boolean isSameRenewal(LeaseRecord other) {
      return holder.equals(other.holder)
          && renewed.equals(other.renewed)
          && acquired.equals(other.acquired)
          && transitions == other.transitions;
    }
  }
}
