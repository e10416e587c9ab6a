// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A clock that moves only when told; it starts near its overflow, as a real one may. */
final class FakeNanos implements LongSupplier {
  private long now = Long.MAX_VALUE - Duration.ofSeconds(30).toNanos();

  @Override
  public long getAsLong() {
    return now;
  }

  void advance(Duration step) {
    now += step.toNanos();
  }
}
