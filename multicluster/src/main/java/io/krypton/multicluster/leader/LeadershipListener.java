package io.krypton.multicluster.leader;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Hears of the beginning and end of each term, never of two at once. */
public interface LeadershipListener {
  /** Must return soon: renewals wait for it. */
  void startedLeading(Term term);

  /**
   * The term is over. Should return when no work of it runs any more, at the latest after {@link
   * LeaseTimings#handoverGap}: until then this process does not stand for election again.
   */
  void stoppedLeading(Term term) throws InterruptedException;

  /**
   * One stretch of leadership. It ends by itself when it was not renewed in time, also if every
   * thread of this process was standing still meanwhile.
   */
  final class Term {
    private final Duration renewDeadline;
    private final LongSupplier nanoTime;
    private volatile long renewedAt;
    private volatile boolean over;

    Term(long renewedAt, Duration renewDeadline, LongSupplier nanoTime) {
      this.renewedAt = renewedAt;
      this.renewDeadline = renewDeadline;
      this.nanoTime = nanoTime;
    }

    /** Whether we may still act as the leader; ask right before each write. */
    public boolean isHeld() {
      return !over && remaining().isPositive();
    }

    /** Time left without another renewal. */
    Duration remaining() {
      return renewDeadline.minusNanos(nanoTime.getAsLong() - renewedAt);
    }

    /**
     * The holder's time counts from when the request was sent: the server may have seen it then.
     */
    void renewed(long sentAt) {
      renewedAt = sentAt;
    }

    void end() {
      over = true;
    }
  }
}
