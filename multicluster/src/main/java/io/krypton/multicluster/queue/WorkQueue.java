// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import io.krypton.base.time.Backoff;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A deduplicating, fair work queue: a key is queued once however often it was added, never
 * processed by two workers at once, and clusters take turns within the concurrency limits.
 *
 * <p>A key that was taken belongs to the taker until exactly one of {@link #done}, {@link
 * #requeue}, {@link #retry} and {@link #putBack} ends it.
 */
public final class WorkQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition ended = lock.newCondition();
  private final FairScheduler scheduler;
  private final Backoff backoff;
  private final LongSupplier nanoTime;
  private final RandomGenerator random;
  private boolean held;
  private boolean closed;

  /**
   * An empty queue.
   *
   * @param nanoTime a monotonic clock in nanoseconds, as {@link System#nanoTime}
   * @param random spreads the back-off
   */
  public WorkQueue(
      ConcurrencyLimits concurrencyLimits,
      Backoff backoff,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.scheduler = new FairScheduler(concurrencyLimits);
    this.backoff = backoff;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** Enqueues the key now, also if it is delayed or running. */
  public void add(WorkKey key) {
    addAfter(key, Duration.ZERO);
  }

  /** Enqueues many keys at once. */
  public void addAll(Collection<WorkKey> keys) {
    change(
        now -> {
          if (!closed) {
            keys.forEach(key -> scheduler.add(key, now, now));
          }
        });
  }

  /** Enqueues the key now, or after its back-off if it is in one. */
  public void addAfterBackoff(WorkKey key) {
    change(
        now -> {
          if (!closed) {
            scheduler.addAfterBackoff(key, now);
          }
        });
  }

  /** Enqueues the key after a delay, unless it is due earlier. */
  public void addAfter(WorkKey key, Duration pause) {
    change(
        now -> {
          if (!closed) {
            scheduler.add(key, now + pause.toNanos(), now);
          }
        });
  }

  /** Takes the next key, or nothing if none is due, the limits are reached or the queue is held. */
  public Optional<WorkItem> poll() {
    lock.lock();
    try {
      return held || closed ? Optional.empty() : scheduler.next(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next key; empty once the queue is closed. */
  public Optional<WorkItem> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed) {
        var next = poll();
        if (next.isPresent()) {
          return next;
        }
        var _ = changed.awaitNanos(untilNextDue());
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private long untilNextDue() {
    var nextDue = held ? OptionalLong.empty() : scheduler.nextDue();
    return nextDue.isEmpty() ? Long.MAX_VALUE : nextDue.getAsLong() - nanoTime.getAsLong();
  }

  /** Ends a successful run: the back-off is reset. */
  public void done(WorkKey key) {
    end(now -> scheduler.done(key, now));
  }

  /** Ends a successful run and requeues the key after a delay. */
  public void requeue(WorkKey key, Duration pause) {
    end(now -> scheduler.requeue(key, now + pause.toNanos(), now));
  }

  /** Ends a run that tried nothing: requeues after a delay and keeps the failure count. */
  public void postpone(WorkKey key, Duration pause) {
    end(now -> scheduler.postpone(key, now + pause.toNanos(), now));
  }

  /** Ends a failed run: requeues the key after its back-off. */
  public RetryInfo retry(WorkKey key) {
    lock.lock();
    try {
      var retry =
          scheduler.retry(key, failures -> backoff.delay(failures, random), nanoTime.getAsLong());
      changed.signalAll();
      ended.signalAll();
      return retry;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a cancelled run: requeues the key at once and keeps the failure count. */
  public void putBack(WorkKey key) {
    end(now -> scheduler.putBack(key, now));
  }

  /** Makes the next failure of the key count as its first. */
  public void resetBackoff(WorkKey key) {
    change(now -> scheduler.resetBackoff(key));
  }

  /** Removes the key; a running one is not requeued, whatever its result. */
  public void forget(WorkKey key) {
    change(now -> scheduler.forget(key));
  }

  /** Removes all keys of a cluster, as {@link #forget} does, and unparks it. */
  public void drop(String cluster) {
    change(now -> scheduler.drop(cluster));
  }

  /** Hands out no key of this cluster until it is unparked; keys are kept. */
  public void park(String cluster) {
    change(now -> scheduler.park(cluster));
  }

  /** Hands out keys of this cluster again, also those that were waiting for their back-off. */
  public void unpark(String cluster) {
    change(now -> scheduler.unpark(cluster, now));
  }

  /** Hands out nothing until {@link #release}; keys are kept. */
  public void hold() {
    change(now -> held = true);
  }

  /** Ends a {@link #hold}. */
  public void release() {
    change(now -> held = false);
  }

  /** Hands out nothing more and accepts nothing more; runs under way still have to be ended. */
  public void close() {
    change(now -> closed = true);
  }

  /** Waits until no key is handed out; false if that takes longer than the limit. */
  public boolean awaitIdle(Duration limit) throws InterruptedException {
    return awaitEnded(() -> scheduler.running() == 0, limit);
  }

  /** Waits until no key of this cluster is handed out; false if that takes longer. */
  public boolean awaitIdle(String cluster, Duration limit) throws InterruptedException {
    return awaitEnded(() -> scheduler.running(cluster) == 0, limit);
  }

  private boolean awaitEnded(BooleanSupplier condition, Duration limit)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      var left = limit.toNanos();
      while (!condition.getAsBoolean()) {
        if (left <= 0) {
          return false;
        }
        left = ended.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Counts for metrics; O(clusters), not O(keys). */
  public QueueState state() {
    lock.lock();
    try {
      return scheduler.state(nanoTime.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  private void change(Change change) {
    lock.lock();
    try {
      change.at(nanoTime.getAsLong());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void end(Change change) {
    lock.lock();
    try {
      change.at(nanoTime.getAsLong());
      changed.signalAll();
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private interface Change {
    void at(long now);
  }

  /**
   * A key that now belongs to the taker, until the taker ends it.
   *
   * @param failures how often in a row the key has failed before
   * @param waited how long it was due before it was handed out
   */
  public record WorkItem(WorkKey key, int failures, Duration waited) {}

  /** When a failed key comes back, and how often in a row it has failed now. */
  public record RetryInfo(int failures, Duration delay) {}

  /**
   * A count of the keys in a queue.
   *
   * @param ready due, and waiting for a free worker
   * @param parked due, but their cluster is parked
   * @param delayed due later
   * @param running handed out
   * @param oldest how long the longest waiting of the ready keys has been due
   */
  public record QueueState(int ready, int parked, int delayed, int running, Duration oldest) {}
}
