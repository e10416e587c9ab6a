package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.FairConcurrencyLimiter;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One turn for each API server. As with slots nobody waits: whoever finds none is called. */
final class ExclusiveServerLocks {
  private final FairConcurrencyLimiter<ReleaseKey> servers;

  /** Of those that have their turn or wait for it. */
  private final Map<ReleaseKey, Reservation> reservations = new HashMap<>();

  /** A turn, or a place in the line for one. */
  private record Reservation(String server, FairConcurrencyLimiter.@Nullable Permit turn) {}

  ExclusiveServerLocks(LongSupplier nanoTime) {
    this.servers =
        new FairConcurrencyLimiter<>(new ConcurrencyLimits(Integer.MAX_VALUE, 1), nanoTime);
  }

  /** Whether it is its turn; else {@code call} is run when it is. */
  boolean tryAcquire(ReleaseKey release, String server, Runnable call) {
    if (isHolding(release)) {
      return true;
    }
    var permit = servers.tryAcquire(server, release, call).orElse(null);
    put(release, new Reservation(server, permit));
    return permit != null;
  }

  private synchronized boolean isHolding(ReleaseKey release) {
    var reservation = reservations.get(release);
    return reservation != null && reservation.turn != null;
  }

  private synchronized void put(ReleaseKey release, Reservation reservation) {
    reservations.put(release, reservation);
  }

  /** Gives back the turn, or the place in the line. */
  void release(ReleaseKey release) {
    var reservation = remove(release);
    if (reservation == null) {
      return;
    }
    if (reservation.turn == null) {
      servers.cancel(reservation.server, release);
    } else {
      reservation.turn.close();
    }
  }

  private synchronized @Nullable Reservation remove(ReleaseKey release) {
    return reservations.remove(release);
  }

  /** Nobody of this cluster waits any more; what has its turn gives it back by itself. */
  void cancelWaiting(String cluster) {
    waiting(cluster).forEach((release, reservation) -> servers.cancel(reservation.server, release));
  }

  private synchronized Map<ReleaseKey, Reservation> waiting(String cluster) {
    var waiting = new HashMap<ReleaseKey, Reservation>();
    reservations.forEach(
        (release, reservation) -> {
          if (reservation.turn == null && release.cluster().equals(cluster)) {
            waiting.put(release, reservation);
          }
        });
    waiting.keySet().forEach(reservations::remove);
    return waiting;
  }
}
