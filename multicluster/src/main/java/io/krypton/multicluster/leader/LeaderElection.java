// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import io.krypton.base.time.Jitter;
import io.krypton.multicluster.cache.RepeatedFailure;
import io.krypton.multicluster.leader.LeadershipListener.Term;
import io.krypton.multicluster.leader.LeaseElector.Step;
import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in leader election until it is stopped: after losing the lease it rejoins, in the same
 * process. Two processes never hold a term at once, whatever their wall clocks say; see DESIGN.md.
 */
public final class LeaderElection {
  private static final Logger log = LoggerFactory.getLogger(LeaderElection.class);
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(2);

  /** For a call in flight on stop: interrupted, it might prevent the release. */
  private static final Duration STEP_GRACE = Duration.ofSeconds(1);

  private final LeaseTimings leaseTimings;
  private final LeadershipListener listener;
  private final LongSupplier nanoTime;
  private final LeaseElector elector;
  private final String identity;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread thread = Thread.ofVirtual().name("leader election").unstarted(this::run);
  private final ElectionLog electionLog = new ElectionLog(log);
  private volatile @Nullable Term term;
  private volatile @Nullable Future<?> step;
  private volatile long lastStepAt;

  /**
   * An election that has yet to be started.
   *
   * @param name of this process, e.g. of its pod; a random part is added, because after a crash the
   *     next process of the same name must not take the old one's lease for its own
   */
  public LeaderElection(
      LeaseStore store, String name, LeaseTimings leaseTimings, LeadershipListener listener) {
    this(store, name, leaseTimings, listener, System::nanoTime, InstantSource.system());
  }

  LeaderElection(
      LeaseStore store,
      String name,
      LeaseTimings leaseTimings,
      LeadershipListener listener,
      LongSupplier nanoTime,
      InstantSource wallClock) {
    this.identity = name + "_" + UUID.randomUUID();
    this.leaseTimings = leaseTimings;
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.elector =
        new LeaseElector(store, identity, leaseTimings.leaseDuration(), nanoTime, wallClock);
    this.lastStepAt = nanoTime.getAsLong();
  }

  public void start() {
    thread.start();
  }

  /** Whether this process may act as the leader right now; ask before each write. */
  public boolean isLeading() {
    var current = term;
    return current != null && current.isHeld();
  }

  /** Time since the last acquire or renew; much more than a retry period means that it is stuck. */
  public Duration sinceLastStep() {
    return Duration.ofNanos(nanoTime.getAsLong() - lastStepAt);
  }

  public String identity() {
    return identity;
  }

  private void run() {
    try {
      while (!isClosing()) {
        var pause = leaseTimings.retryPeriod();
        try {
          pause = acquireAndLead();
        } catch (RuntimeException failed) {
          electionLog.failed("failed to acquire leader lease", failed);
        }
        sleep(pause);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Tries to acquire the lease, leads while it is held, and returns the delay before the next try.
   */
  private Duration acquireAndLead() throws InterruptedException {
    return switch (step(elector::acquire, leaseTimings.renewDeadline())) {
      case Step.Held held -> {
        lead(held);
        yield Duration.ZERO;
      }
      case Step.HeldByOther other -> {
        electionLog.following(other.holder());
        // Retried as soon as it may have expired, but not in a tight loop.
        var soonest = leaseTimings.retryPeriod().dividedBy(10);
        yield min(jittered(leaseTimings.retryPeriod()), max(other.remainingValidity(), soonest));
      }
    };
  }

  private void lead(Step.Held won) throws InterruptedException {
    var current = new Term(won.sentAt(), leaseTimings.renewDeadline(), nanoTime);
    var record = won.record();
    term = current;
    electionLog.leading(identity);
    var lost = false;
    try {
      listener.startedLeading(current);
      while (!isClosing() && current.isHeld() && !lost) {
        sleep(min(untilNextStep(), current.remaining()));
        var renewed = isClosing() ? null : renew(record, current);
        if (renewed instanceof Step.Held held) {
          current.renewed(held.sentAt());
          record = held.record();
        }
        lost = renewed instanceof Step.HeldByOther;
      }
    } catch (RuntimeException bug) {
      log.error("leadership listener failed, giving up leader lease", bug);
    } finally {
      var stillOurs = current.isHeld() && !lost;
      end(current);
      if (stillOurs) {
        release(record);
      }
    }
  }

  /** A slow attempt has used up its retry period; the next one follows at once. */
  private Duration untilNextStep() {
    var soonest = leaseTimings.retryPeriod().dividedBy(10);
    return max(leaseTimings.retryPeriod().minus(sinceLastStep()), soonest);
  }

  /** Null if the attempt failed: the term continues until the renew deadline. */
  private @Nullable Step renew(LeaseRecord record, Term current) throws InterruptedException {
    if (!current.isHeld()) {
      return null;
    }
    try {
      var step = step(() -> elector.renew(record), current.remaining());
      electionLog.succeeded();
      return step;
    } catch (RuntimeException failed) {
      electionLog.failed("failed to renew leader lease", failed);
      return null;
    }
  }

  private void end(Term current) throws InterruptedException {
    current.end();
    term = null;
    electionLog.stoppedLeading(isClosing());
    try {
      listener.stoppedLeading(current);
    } catch (RuntimeException bug) {
      log.error("leadership listener failed after losing leader lease", bug);
    }
  }

  private void release(LeaseRecord record) throws InterruptedException {
    try {
      await(calls.submit(() -> elector.release(record)), RELEASE_LIMIT);
    } catch (RuntimeException failed) {
      electionLog.failed("failed to release leader lease, it will expire", failed);
    }
  }

  private Step step(Callable<Step> attempt, Duration limit) throws InterruptedException {
    lastStepAt = nanoTime.getAsLong();
    var call = calls.submit(attempt);
    step = call;
    try {
      return await(call, limit);
    } finally {
      step = null;
    }
  }

  /** With a timeout: a hanging call must not outlast the renew deadline. */
  private static <V> V await(Future<V> call, Duration limit) throws InterruptedException {
    try {
      return call.get(limit.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException failed) {
      throw failed.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(failed.getCause());
    } catch (TimeoutException late) {
      throw new IllegalStateException("no response within " + limit.toMillis() + " ms", late);
    } finally {
      call.cancel(true);
    }
  }

  private void sleep(Duration pause) throws InterruptedException {
    var _ = closing.await(pause.toNanos(), TimeUnit.NANOSECONDS);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /** Ends the term, waits for its work to end as long as the listener does, releases the lease. */
  public void stop() throws InterruptedException {
    closing.countDown();
    var inFlight = thread.join(STEP_GRACE) ? null : step;
    if (inFlight != null) {
      inFlight.cancel(true);
    }
    var _ = thread.join(leaseTimings.handoverGap().plus(RELEASE_LIMIT));
    calls.shutdownNow();
  }

  private static Duration jittered(Duration period) {
    return new Jitter(ThreadLocalRandom.current()).longer(period, 0.2);
  }

  private static Duration min(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** Logs transitions of the election, and repeated failures sparsely. */
  static final class ElectionLog {
    private final Logger log;
    private RepeatedFailure failures = RepeatedFailure.NONE;
    private String leader = "";

    ElectionLog(Logger log) {
      this.log = log;
    }

    void leading(String identity) {
      succeeded();
      leader = identity;
      log.atInfo().addKeyValue("identity", identity).log("acquired leader lease");
    }

    void following(String holder) {
      succeeded();
      if (!holder.equals(leader) && !holder.isEmpty()) {
        leader = holder;
        log.atInfo().addKeyValue("leader", holder).log("new leader elected");
      }
    }

    void stoppedLeading(boolean shutdown) {
      leader = "";
      if (shutdown) {
        log.info("releasing leader lease, shutting down");
      } else {
        log.warn("lost leader lease, rejoining election");
      }
    }

    void succeeded() {
      failures = RepeatedFailure.NONE;
    }

    void failed(String what, RuntimeException failure) {
      failures = failures.next(what + failure.getClass().getName());
      if (failures.shouldLog()) {
        log.atWarn()
            .addKeyValue("count", failures.count())
            .addKeyValue("cause", String.valueOf(failure.getMessage()))
            .log(what);
      }
    }
  }
}
