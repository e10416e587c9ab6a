package io.krypton.multicluster.leader;

import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The single steps of one process towards the lease; {@link LeaderElection} decides when. */
final class LeaseElector {
  private static final Duration RELEASED = Duration.ofSeconds(1);

  /** How a step ended. */
  sealed interface Step {
    /** The lease is ours, by a request that was sent then. */
    record Held(LeaseRecord record, long sentAt) implements Step {}

    /** Somebody holds it; ask again not before this time has passed, if it is not renewed. */
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
   * Takes the lease if it is free. A record of our own from an earlier term is respected like any
   * other: its runs may need that time to end.
   */
  Step acquire() {
    var stored = store.read();
    if (stored.isPresent()) {
      var respectFor = observedLease.remainingValidity(stored.get());
      if (respectFor.isPositive()) {
        return new Step.HeldByOther(stored.get().holder(), respectFor);
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

  /** Renews our lease; after a conflict looks whether it is still ours, and tries once more. */
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
        .orElseThrow(() -> new IllegalStateException("the lease changes faster than we can renew"));
  }

  private Step held(LeaseRecord record, long sentAt) {
    // For the time after this term: our own record runs out from now, as it does for others.
    observedLease.remainingValidity(record);
    return new Step.Held(record, sentAt);
  }

  /** Gives the lease back, so that the next holder need not wait; best effort. */
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
   * What we know of the lease's holder. It counts as alive until we, on our own clock, have seen no
   * change of its record for the record's duration. An outdated call that ends late can only make
   * us wait longer.
   */
  static final class ObservedLease {
    private final Duration defaultDuration;
    private final LongSupplier nanoTime;
    private @Nullable LeaseRecord seen;
    private long changedAt;

    ObservedLease(Duration defaultDuration, LongSupplier nanoTime) {
      this.defaultDuration = defaultDuration;
      this.nanoTime = nanoTime;
    }

    /** Takes note of the record and tells how long its holder has to be respected still. */
    synchronized Duration remainingValidity(LeaseRecord record) {
      if (seen == null || !seen.isSameRenewal(record)) {
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
}
