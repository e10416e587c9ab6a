package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkQueue.QueueState;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A reconcile loop as leadership, probes and metrics see it. */
public interface ReconcileLoop {
  /**
   * Begins to reconcile, all objects once: another process may have worked on them meanwhile.
   *
   * @param permit asked before each run, e.g. {@code term::isHeld}
   */
  void resume(BooleanSupplier permit);

  /**
   * Begins no run any more and interrupts those under way; nothing is forgotten. Returns whether
   * they have ended within the limit.
   */
  boolean pause(Duration limit) throws InterruptedException;

  /** Begins no run any more; those under way get a grace period, then an interrupt. */
  boolean stop(Duration grace) throws InterruptedException;

  QueueState state();

  /** Whether the loop lives; it does from the beginning until {@link #stop}. */
  boolean isAlive();
}
