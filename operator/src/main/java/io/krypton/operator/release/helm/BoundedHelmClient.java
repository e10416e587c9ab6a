// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.FairConcurrencyLimiter;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets an engine work on each release once at a time, on as many as there are slots, and on those
 * that need a server for themselves one after the other.
 */
public final class BoundedHelmClient implements HelmClient {
  private final HelmEngine engine;
  private final OperationListener listener;
  private final FairConcurrencyLimiter<ReleaseKey> slots;
  private final ExclusiveServerLocks serverLocks = new ExclusiveServerLocks(System::nanoTime);
  private final Map<ReleaseKey, FairConcurrencyLimiter.Permit> reserved = new ConcurrentHashMap<>();
  private final Set<ReleaseKey> running = ConcurrentHashMap.newKeySet();

  public BoundedHelmClient(HelmEngine engine, OperationListener listener) {
    this.engine = engine;
    this.listener = listener;
    this.slots = new FairConcurrencyLimiter<>(engine::limits, System::nanoTime);
  }

  @Override
  public boolean isRunning(ReleaseKey release) {
    return running.contains(release);
  }

  @Override
  public boolean hasEnded(String instance) {
    return engine.hasEnded(instance);
  }

  @Override
  public void stop(String cluster) {
    serverLocks.cancelWaiting(cluster);
    engine.stop(cluster);
  }

  @Override
  public void close() {
    engine.close();
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    var release = operation.target().release();
    if (!running.add(release)) {
      return report(operation, new HelmResult.Busy("the release is being worked on"), 0);
    }
    try {
      if (reserved.containsKey(release)) {
        return runTimed(operation);
      }
      if (!reserve(release, () -> {})) {
        releaseReservation(release);
        return report(operation, new HelmResult.Busy("there is no free helm slot"), 0);
      }
      try {
        return runTimed(operation);
      } finally {
        releaseReservation(release);
      }
    } finally {
      running.remove(release);
    }
  }

  private HelmResult runTimed(HelmOperation operation) {
    var start = System.nanoTime();
    return report(operation, engine.run(operation), System.nanoTime() - start);
  }

  private HelmResult report(HelmOperation operation, HelmResult result, long nanos) {
    listener.finished(operation, result, Duration.ofNanos(nanos));
    return result;
  }

  @Override
  public boolean reserve(ReleaseKey release, Runnable call) {
    if (reserved.containsKey(release)) {
      return true;
    }
    var permit = slots.tryAcquire(release.cluster(), release, call);
    permit.ifPresent(it -> reserved.put(release, it));
    return permit.isPresent();
  }

  @Override
  public boolean reserveExclusive(ReleaseKey release, String server, Runnable call) {
    var taken = serverLocks.tryAcquire(release, server, call);
    if (!taken) {
      releaseSlot(release);
    }
    return taken;
  }

  @Override
  public void releaseReservation(ReleaseKey release) {
    serverLocks.release(release);
    releaseSlot(release);
  }

  private void releaseSlot(ReleaseKey release) {
    var permit = reserved.remove(release);
    if (permit == null) {
      slots.cancel(release.cluster(), release);
    } else {
      permit.close();
    }
  }
}
