package io.krypton.multicluster.leader;

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
}
