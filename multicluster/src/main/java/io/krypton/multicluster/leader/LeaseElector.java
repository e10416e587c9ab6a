// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Acquires, renews and releases the lease; {@link LeaderElection} decides when. */
final class LeaseElector {
  private static final Duration RELEASED = Duration.ofSeconds(1);

  /** How a step ended. */
  sealed interface Step {
    /** The lease is ours, by a request that was sent then. */
    record Held(LeaseRecord record, long sentAt) implements Step {}

    /** Another process holds it; it expires after this time unless it is renewed. */
    record HeldByOther(String holder, Duration remainingValidity) implements Step {}
  }

  private final LeaseStore store;
  private final String identity;
  private final Duration leaseDuration;
  private final LongSupplier nanoTime;
  private final InstantSource wallClock;
  private final ObservedLease observedLease;

  LeaseElector(
      LeaseStore store,
      String identity,
      Duration leaseDuration,
      LongSupplier nanoTime,
      InstantSource wallClock) {
    this.store = store;
    this.identity = identity;
    this.leaseDuration = leaseDuration;
    this.nanoTime = nanoTime;
    this.wallClock = wallClock;
    this.observedLease = new ObservedLease(leaseDuration, nanoTime);
  }

  /**
   * Acquires the lease if it has expired. A record of our own from an earlier term must expire like
   * any other: its reconciles may need that time to end.
   */
  Step acquire() {
    var stored = store.read();
    if (stored.isPresent()) {
      var remaining = observedLease.remainingValidity(stored.get());
      if (remaining.isPositive()) {
        return new Step.HeldByOther(stored.get().holder(), remaining);
      }
    }
    var sentAt = nanoTime.getAsLong();
    var now = now();
    var transitions = stored.map(LeaseRecord::transitions).orElse(-1) + 1;
    var version = stored.map(LeaseRecord::version).orElse("");
    var wanted = new LeaseRecord(identity, leaseDuration, now, now, transitions, version);
    var written = stored.isPresent() ? store.replace(wanted) : store.create(wanted);
    return written
        .<Step>map(record -> held(record, sentAt))
        .orElseGet(() -> new Step.HeldByOther("", Duration.ZERO));
  }

  /** Renews our lease; after a conflict reads it again and retries once if it is still ours. */
  Step renew(LeaseRecord held) {
    var sentAt = nanoTime.getAsLong();
    var renewed = store.replace(renewal(held, held.version()));
    if (renewed.isPresent()) {
      return held(renewed.get(), sentAt);
    }
    var stored = store.read();
    if (stored.isPresent() && !stored.get().holder().equals(identity)) {
      return new Step.HeldByOther(
          stored.get().holder(), observedLease.remainingValidity(stored.get()));
    }
    var sentAgainAt = nanoTime.getAsLong();
    var again =
        stored.isPresent()
            ? store.replace(renewal(held, stored.get().version()))
            : store.create(renewal(held, ""));
    return again
        .<Step>map(record -> held(record, sentAgainAt))
        .orElseThrow(() -> new IllegalStateException("lease modified concurrently, not renewed"));
  }

  private Step held(LeaseRecord record, long sentAt) {
    // For the time after this term: our own record expires from now on, as for others.
    observedLease.remainingValidity(record);
    return new Step.Held(record, sentAt);
  }

  /** Releases the lease, so that the next leader need not wait; best effort. */
  Optional<LeaseRecord> release(LeaseRecord held) {
    return store.replace(
        new LeaseRecord("", RELEASED, held.acquired(), now(), held.transitions(), held.version()));
  }

  private LeaseRecord renewal(LeaseRecord held, String version) {
    return new LeaseRecord(
        identity, leaseDuration, held.acquired(), now(), held.transitions(), version);
  }

  private Instant now() {
    return wallClock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  /**
   * The lease as observed by this process. It expires when, on our own clock, the record has not
   * changed for its duration. A stale read that arrives late can only make us wait longer.
   */
  static final class ObservedLease {
    private final Duration defaultDuration;
    private final LongSupplier nanoTime;
    private @Nullable LeaseRecord observed;
    private long changedAt;

    ObservedLease(Duration defaultDuration, LongSupplier nanoTime) {
      this.defaultDuration = defaultDuration;
      this.nanoTime = nanoTime;
    }

    /** Observes the record and returns how long it is still valid. */
    synchronized Duration remainingValidity(LeaseRecord record) {
      if (observed == null || !observed.isSameRenewal(record)) {
        changedAt = nanoTime.getAsLong();
      }
      observed = record;
      if (record.holder().isEmpty()) {
        return Duration.ZERO;
      }
      var duration = record.duration().isPositive() ? record.duration() : defaultDuration;
      return duration.minusNanos(nanoTime.getAsLong() - changedAt);
    }
  }
}
