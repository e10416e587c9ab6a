package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.Limits;
import io.krypton.multicluster.queue.Turns;
import io.krypton.multicluster.queue.WorkKey;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Keeps slow clusters from taking all workers. All deployments live on home and are one lane of the
 * queue, so the share of each cluster that they go to is kept here, for roll-out and cleanup alike.
 */
final class EdgeTurns {
  private final Turns<WorkKey> turns;
  private final Consumer<WorkKey> wake;

  EdgeTurns(Limits limits, Consumer<WorkKey> wake) {
    this.turns = new Turns<>(limits, System::nanoTime);
    this.wake = wake;
  }

  /** Empty if the cluster has its share; the key is woken when it is its turn. */
  Optional<Turns.Turn> take(SecretRef secret, WorkKey key) {
    return turns.take(secret.toString(), key, () -> wake.accept(key));
  }
}
