package io.krypton.operator.helm;

import io.krypton.multicluster.queue.Limits;
import io.krypton.multicluster.queue.Turns;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One turn for each API server. As with slots nobody waits: whoever finds none is called. */
final class LoneTurns {
  private final Turns<ReleaseKey> servers;

  /** Of those that have their turn or wait for it. */
  private final Map<ReleaseKey, Place> places = new HashMap<>();

  /** A turn, or a place in the line for one. */
  private record Place(String server, Turns.@Nullable Turn turn) {}

  LoneTurns(LongSupplier nanoTime) {
    this.servers = new Turns<>(new Limits(Integer.MAX_VALUE, 1), nanoTime);
  }

  /** Whether it is its turn; else {@code call} is run when it is. */
  boolean take(ReleaseKey release, String server, Runnable call) {
    if (hasTurn(release)) {
      return true;
    }
    var turn = servers.take(server, release, call).orElse(null);
    put(release, new Place(server, turn));
    return turn != null;
  }

  private synchronized boolean hasTurn(ReleaseKey release) {
    var place = places.get(release);
    return place != null && place.turn != null;
  }

  private synchronized void put(ReleaseKey release, Place place) {
    places.put(release, place);
  }

  /** Gives back the turn, or the place in the line. */
  void giveBack(ReleaseKey release) {
    var place = remove(release);
    if (place == null) {
      return;
    }
    if (place.turn == null) {
      servers.leave(place.server, release);
    } else {
      place.turn.close();
    }
  }

  private synchronized @Nullable Place remove(ReleaseKey release) {
    return places.remove(release);
  }

  /** Nobody of this cluster waits any more; what has its turn gives it back by itself. */
  void leave(String cluster) {
    waiting(cluster).forEach((release, place) -> servers.leave(place.server, release));
  }

  private synchronized Map<ReleaseKey, Place> waiting(String cluster) {
    var waiting = new HashMap<ReleaseKey, Place>();
    places.forEach(
        (release, place) -> {
          if (place.turn == null && release.cluster().equals(cluster)) {
            waiting.put(release, place);
          }
        });
    waiting.keySet().forEach(places::remove);
    return waiting;
  }
}
