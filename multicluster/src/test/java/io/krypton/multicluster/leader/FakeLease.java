// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import io.krypton.multicluster.leader.LeaseStore.LeaseRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A lease in memory, with the optimistic locking of an API server, that can fail and hang. */
final class FakeLease implements LeaseStore {
  enum Fault {
    NONE,
    REFUSES,
    HANGS,
    /** The write happens, but its answer never arrives. */
    LOSES_ANSWERS
  }

  private @Nullable LeaseRecord stored;
  private int version;
  private final AtomicInteger hanging = new AtomicInteger();
  private volatile Fault fault = Fault.NONE;

  void fault(Fault wanted) {
    fault = wanted;
  }

  synchronized Optional<LeaseRecord> stored() {
    return Optional.ofNullable(stored);
  }

  synchronized void delete() {
    stored = null;
  }

  /** What another process, or an administrator, writes. */
  synchronized LeaseRecord force(String holder, Duration duration) {
    var before = stored().orElseThrow();
    return write(
        new LeaseRecord(
            holder, duration, before.acquired(), before.renewed(), before.transitions() + 1, ""));
  }

  @Override
  public Optional<LeaseRecord> read() {
    suffer();
    return stored();
  }

  @Override
  public Optional<LeaseRecord> create(LeaseRecord wanted) {
    return change(stored().isEmpty(), wanted);
  }

  @Override
  public Optional<LeaseRecord> replace(LeaseRecord wanted) {
    var isCurrent = stored().filter(now -> now.version().equals(wanted.version())).isPresent();
    return change(isCurrent, wanted);
  }

  private Optional<LeaseRecord> change(boolean allowed, LeaseRecord wanted) {
    if (fault != Fault.LOSES_ANSWERS) {
      suffer();
    }
    var written = allowed ? Optional.of(write(wanted)) : Optional.<LeaseRecord>empty();
    suffer();
    return written;
  }

  private synchronized LeaseRecord write(LeaseRecord wanted) {
    stored =
        new LeaseRecord(
            wanted.holder(),
            wanted.duration(),
            wanted.acquired(),
            wanted.renewed(),
            wanted.transitions(),
            Integer.toString(++version));
    return stored;
  }

  private void suffer() {
    switch (fault) {
      case NONE -> {}
      case REFUSES -> throw new IllegalStateException("refused by the test");
      case HANGS, LOSES_ANSWERS -> hang();
    }
  }

  /** How many calls hang at this moment. */
  int hanging() {
    return hanging.get();
  }

  private void hang() {
    hanging.incrementAndGet();
    try {
      var _ = new CountDownLatch(1).await(5, TimeUnit.MINUTES);
    } catch (InterruptedException cancelled) {
      throw new IllegalStateException("cancelled", cancelled);
    } finally {
      hanging.decrementAndGet();
    }
  }
}
