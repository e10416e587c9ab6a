// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Stores the lease. All methods block for a bounded time and throw on transport failures. */
public interface LeaseStore {
  Optional<LeaseRecord> read();

  /** Creates the lease; empty on conflict. */
  Optional<LeaseRecord> create(LeaseRecord wanted);

  /** Replaces the version that {@code wanted} names; empty on conflict. */
  Optional<LeaseRecord> replace(LeaseRecord wanted);

  /**
   * The spec of a Lease. Its times are informational; no decision depends on them.
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

    /** Whether the lease was not renewed or taken over meanwhile. */
    boolean isSameRenewal(LeaseRecord other) {
      return holder.equals(other.holder)
          && renewed.equals(other.renewed)
          && acquired.equals(other.acquired)
          && transitions == other.transitions;
    }
  }
}
