// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.base.kmsreport.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Holds the newest sample only: what could not be delivered is replaced, never queued, so that an
 * outage of any length costs nothing and ends with one write.
 */
public final class LatestSample {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition replaced = lock.newCondition();
  private Sample latest = Sample.EMPTY;

  public Sample latest() {
    lock.lock();
    try {
      return latest;
    } finally {
      lock.unlock();
    }
  }

  public void update(UnaryOperator<Sample> change) {
    lock.lock();
    try {
      latest = change.apply(latest);
      replaced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when the given sample is no longer the latest, or when the time is over. */
  void awaitChange(Sample seen, Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = atMost.toNanos();
      while (latest.equals(seen) && left > 0) {
        left = replaced.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The newest state of the node, to be published.
   *
   * @param report null until every plugin has a result
   * @param tick counts the rounds in which every plugin was probed
   * @param tickedAt when the last of them ended
   * @param transitions counts the changes worth a write since the start
   */
  public record Sample(@Nullable NodeReport report, long tick, Instant tickedAt, long transitions) {
    static final Sample EMPTY = new Sample(null, 0, Instant.EPOCH, 0);

    public Sample withTick(Instant now) {
      return new Sample(report, tick + 1, now, transitions);
    }

    public Sample withReport(NodeReport newer) {
      boolean changed = report == null || !newer.saysTheSameAs(report);
      return new Sample(newer, tick, tickedAt, changed ? transitions + 1 : transitions);
    }
  }
}
