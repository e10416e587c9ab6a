package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.WorkKey;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps one slow cluster from taking all workers. All deployments live on home and are one lane of
 * the queue, so the limit for each cluster they go to is kept here. Nobody waits: whoever finds no
 * place leaves, and is woken when one is free.
 */
final class EdgeTurns {
  private final int placesPerEdge;
  private final Consumer<WorkKey> wake;
  private final Map<SecretRef, Edge> edges = new HashMap<>();

  private static final class Edge {
    private int busy;
    private final Set<WorkKey> waiting = new LinkedHashSet<>();
  }

  /** A place, to be given back. */
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  EdgeTurns(int placesPerEdge, Consumer<WorkKey> wake) {
    this.placesPerEdge = placesPerEdge;
    this.wake = wake;
  }

  /** Empty if all places are taken; the key is woken when one gets free. */
  synchronized Optional<Turn> take(SecretRef secret, WorkKey key) {
    var edge = edges.computeIfAbsent(secret, first -> new Edge());
    if (edge.busy >= placesPerEdge) {
      edge.waiting.add(key);
      return Optional.empty();
    }
    edge.busy++;
    edge.waiting.remove(key);
    return Optional.of(() -> giveBack(secret, edge));
  }

  private void giveBack(SecretRef secret, Edge edge) {
    Optional<WorkKey> next;
    synchronized (this) {
      edge.busy--;
      // Taken off the list: if it wants something else by now, the one after it gets its chance
      // with the next place, and at the latest when it is looked at again anyway.
      next = edge.waiting.stream().findFirst();
      next.ifPresent(edge.waiting::remove);
      if (edge.busy == 0 && edge.waiting.isEmpty()) {
        edges.remove(secret);
      }
    }
    next.ifPresent(wake);
  }
}
