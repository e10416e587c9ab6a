package io.krypton.agent.reporter;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/**
 * Holds the newest sample only: what could not be delivered is replaced, never queued, so that an
 * outage of any length costs nothing and ends with one write.
 */
final class Mailbox {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition replaced = lock.newCondition();
  private Sample latest = Sample.NOTHING_YET;

  Sample latest() {
    lock.lock();
    try {
      return latest;
    } finally {
      lock.unlock();
    }
  }

  void update(UnaryOperator<Sample> change) {
    lock.lock();
    try {
      latest = change.apply(latest);
      replaced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when the given sample is no longer the latest, or when the time is over. */
  void awaitOtherThan(Sample seen, Duration atMost) throws InterruptedException {
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
}
