package io.krypton.operator.kmshealth.evidence;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A reporter's Lease.
 *
 * @param holder names the process; empty after a planned stop
 * @param duration how long a renewal stands, if the Lease tells it
 */
public record Heartbeat(String holder, @Nullable Instant renewed, @Nullable Duration duration) {

  public boolean isPlannedStop() {
    return holder.isEmpty();
  }
}
