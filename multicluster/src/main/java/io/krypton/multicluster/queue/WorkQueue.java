package io.krypton.multicluster.queue;

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
 * Hands out keys to workers: each key once however often it was added, never to two workers at the
 * same time, in turn between clusters, and within the limits.
 *
 * <p>A key that was taken belongs to the taker until exactly one of {@link #done}, {@link
 * #requeue}, {@link #retry} and {@link #putBack} ends it.
 */
public final class WorkQueue {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Condition ended = lock.newCondition();
  private final FairScheduler fairScheduler;
  private final ExponentialBackoff exponentialBackoff;
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
      ExponentialBackoff exponentialBackoff,
      LongSupplier nanoTime,
      RandomGenerator random) {
    this.fairScheduler = new FairScheduler(concurrencyLimits);
    this.exponentialBackoff = exponentialBackoff;
    this.nanoTime = nanoTime;
    this.random = random;
  }

  /** Wants the key now, also if it was to come later or is being worked on. */
  public void add(WorkKey key) {
    addAfter(key, Duration.ZERO);
  }

  /** The same for many keys in one go. */
  public void addAll(Collection<WorkKey> keys) {
    change(
        now -> {
          if (!closed) {
            keys.forEach(key -> fairScheduler.add(key, now, now));
          }
        });
  }

  /** Wants the key now, or after its back-off if it is in one. */
  public void addAfterBackoff(WorkKey key) {
    change(
        now -> {
          if (!closed) {
            fairScheduler.addAfterBackoff(key, now);
          }
        });
  }

  /** Wants the key after a pause, unless it comes earlier anyway. */
  public void addAfter(WorkKey key, Duration pause) {
    change(
        now -> {
          if (!closed) {
            fairScheduler.add(key, now + pause.toNanos(), now);
          }
        });
  }

  /** Takes the next key, or nothing if none is due, the limits are reached or the queue is held. */
  public Optional<WorkItem> poll() {
    lock.lock();
    try {
      return held || closed ? Optional.empty() : fairScheduler.next(nanoTime.getAsLong());
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
    var nextDue = held ? OptionalLong.empty() : fairScheduler.nextDue();
    return nextDue.isEmpty() ? Long.MAX_VALUE : nextDue.getAsLong() - nanoTime.getAsLong();
  }

  /** Ends a run that went well: past failures are forgotten. */
  public void done(WorkKey key) {
    end(now -> fairScheduler.done(key, now));
  }

  /** Ends a run that went well, and wants the key again after a pause. */
  public void requeue(WorkKey key, Duration pause) {
    end(now -> fairScheduler.requeue(key, now + pause.toNanos(), now));
  }

  /** Ends a run that had nothing to try yet: wanted again after a pause, past failures stay. */
  public void postpone(WorkKey key, Duration pause) {
    end(now -> fairScheduler.postpone(key, now + pause.toNanos(), now));
  }

  /** Ends a run that failed: the key comes back after its back-off. */
  public RetryInfo retry(WorkKey key) {
    lock.lock();
    try {
      var retry =
          fairScheduler.retry(
              key, failures -> exponentialBackoff.delay(failures, random), nanoTime.getAsLong());
      changed.signalAll();
      ended.signalAll();
      return retry;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a run that was cut short: the key is wanted again at once, its failures stay. */
  public void putBack(WorkKey key) {
    end(now -> fairScheduler.putBack(key, now));
  }

  /** Makes the next failure of the key count as its first. */
  public void resetBackoff(WorkKey key) {
    change(now -> fairScheduler.resetBackoff(key));
  }

  /** Removes the key; a run under way is not repeated, whatever it ends with. */
  public void forget(WorkKey key) {
    change(now -> fairScheduler.forget(key));
  }

  /** Removes all keys of a cluster, as {@link #forget} does, and unparks it. */
  public void drop(String cluster) {
    change(now -> fairScheduler.drop(cluster));
  }

  /** Hands out no key of this cluster until it is unparked; keys are kept. */
  public void park(String cluster) {
    change(now -> fairScheduler.park(cluster));
  }

  /** Hands out keys of this cluster again, also those that were waiting for their back-off. */
  public void unpark(String cluster) {
    change(now -> fairScheduler.unpark(cluster, now));
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
    return awaitEnded(() -> fairScheduler.running() == 0, limit);
  }

  /** Waits until no key of this cluster is handed out; false if that takes longer. */
  public boolean awaitIdle(String cluster, Duration limit) throws InterruptedException {
    return awaitEnded(() -> fairScheduler.running(cluster) == 0, limit);
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

  /** Counts for metrics; cheap, it looks at clusters and not at keys. */
  public QueueState state() {
    lock.lock();
    try {
      return fairScheduler.state(nanoTime.getAsLong());
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
