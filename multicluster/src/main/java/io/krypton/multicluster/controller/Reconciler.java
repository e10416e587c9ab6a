package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;

/**
 * Reconciles one object. Never called concurrently for the same key.
 *
 * <p>An interrupt cancels the reconcile (leader lease lost, cluster disengaged, shutdown): return
 * soon and write nothing more.
 */
@FunctionalInterface
public interface Reconciler {
  /** An exception counts as {@link ReconcileResult.Retry}. */
  ReconcileResult reconcile(Request request) throws Exception;

  /**
   * What to reconcile.
   *
   * @param failures failures in a row of this key
   * @param run ID of this reconcile in log lines
   */
  record Request(WorkKey key, int failures, String run) {}
}
