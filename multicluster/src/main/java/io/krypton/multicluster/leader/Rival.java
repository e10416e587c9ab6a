package io.krypton.multicluster.leader;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What we know of the lease's holder. It counts as alive until we, on our own clock, have seen no
 * change of its record for the record's duration. An outdated call that ends late can only make us
 * wait longer.
 */
final class Rival {
  private final Duration defaultDuration;
  private final LongSupplier nanoTime;
  private @Nullable LeaseRecord seen;
  private long changedAt;

  Rival(Duration defaultDuration, LongSupplier nanoTime) {
    this.defaultDuration = defaultDuration;
    this.nanoTime = nanoTime;
  }

  /** Takes note of the record and tells how long its holder has to be respected still. */
  synchronized Duration respectFor(LeaseRecord record) {
    if (seen == null || !seen.saysTheSameAs(record)) {
      changedAt = nanoTime.getAsLong();
    }
    seen = record;
    if (record.holder().isEmpty()) {
      return Duration.ZERO;
    }
    var duration = record.duration().isPositive() ? record.duration() : defaultDuration;
    return duration.minusNanos(nanoTime.getAsLong() - changedAt);
  }
}
