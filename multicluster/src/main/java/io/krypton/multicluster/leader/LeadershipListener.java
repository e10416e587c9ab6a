// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Called at the start and end of each term; terms never overlap. */
public interface LeadershipListener {
  /** Must return quickly: renewals wait for it. */
  void startedLeading(Term term);

  /**
   * The lease is lost or released. Returns when the work of the term has stopped, at the latest
   * after {@link LeaseTimings#handoverGap}; only then this process rejoins the election.
   */
  void stoppedLeading(Term term) throws InterruptedException;

  /**
   * One term of leadership. It expires by itself when the lease was not renewed in time, also if
   * the whole process was suspended meanwhile.
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

    /** Whether this process is still the leader; check right before each write. */
    public boolean isHeld() {
      return !over && remaining().isPositive();
    }

    /** Time left without another renewal. */
    Duration remaining() {
      return renewDeadline.minusNanos(nanoTime.getAsLong() - renewedAt);
    }

    /** Counts from when the request was sent: the server may have stored it then. */
    void renewed(long sentAt) {
      renewedAt = sentAt;
    }

    void end() {
      over = true;
    }
  }
}
