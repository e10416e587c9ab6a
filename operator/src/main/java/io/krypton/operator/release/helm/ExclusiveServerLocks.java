// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.FairConcurrencyLimiter;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One lock for each API server. As with slots nobody waits: a refused release is called. */
public final class ExclusiveServerLocks {
  private final FairConcurrencyLimiter<ReleaseKey> servers;

  /** Of those that have a lock or wait for one. */
  private final Map<ReleaseKey, Reservation> reservations = new HashMap<>();

  /** A lock, or a place in its queue. */
  private record Reservation(String server, FairConcurrencyLimiter.@Nullable Permit permit) {}

  public ExclusiveServerLocks(LongSupplier nanoTime) {
    this.servers =
        new FairConcurrencyLimiter<>(new ConcurrencyLimits(Integer.MAX_VALUE, 1), nanoTime);
  }

  /** Whether it has the lock now; else {@code call} is run when it is free. */
  public boolean tryAcquire(ReleaseKey release, String server, Runnable call) {
    if (isHolding(release)) {
      return true;
    }
    var permit = servers.tryAcquire(server, release, call).orElse(null);
    put(release, new Reservation(server, permit));
    return permit != null;
  }

  private synchronized boolean isHolding(ReleaseKey release) {
    var reservation = reservations.get(release);
    return reservation != null && reservation.permit != null;
  }

  private synchronized void put(ReleaseKey release, Reservation reservation) {
    reservations.put(release, reservation);
  }

  /** Releases the lock, or the place in its queue. */
  public void release(ReleaseKey release) {
    var reservation = remove(release);
    if (reservation == null) {
      return;
    }
    if (reservation.permit == null) {
      servers.cancel(reservation.server, release);
    } else {
      reservation.permit.close();
    }
  }

  private synchronized @Nullable Reservation remove(ReleaseKey release) {
    return reservations.remove(release);
  }

  /** Nobody of this cluster waits any more; a lock that is held is released by its holder. */
  public void cancelWaiting(String cluster) {
    waiting(cluster).forEach((release, reservation) -> servers.cancel(reservation.server, release));
  }

  private synchronized Map<ReleaseKey, Reservation> waiting(String cluster) {
    var waiting = new HashMap<ReleaseKey, Reservation>();
    reservations.forEach(
        (release, reservation) -> {
          if (reservation.permit == null && release.cluster().equals(cluster)) {
            waiting.put(release, reservation);
          }
        });
    waiting.keySet().forEach(reservations::remove);
    return waiting;
  }
}
