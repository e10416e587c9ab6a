// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkQueue.QueueState;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A reconcile loop as leadership, probes and metrics see it. */
public interface ReconcileLoop {
  /**
   * Starts reconciling, with a resync of all objects: another leader may have changed them.
   *
   * @param permit checked before each reconcile, e.g. {@code term::isHeld}
   */
  void resume(BooleanSupplier permit);

  /**
   * Stops reconciling and interrupts running reconciles; the queue is kept. Returns whether they
   * ended within the limit.
   */
  boolean pause(Duration limit) throws InterruptedException;

  /** Stops for good; running reconciles get a grace period, then an interrupt. */
  boolean stop(Duration grace) throws InterruptedException;

  QueueState state();

  /** Whether the loop runs; true from the start until {@link #stop}. */
  boolean isAlive();
}
