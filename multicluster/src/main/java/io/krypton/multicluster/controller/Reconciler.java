package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;

/**
 * Brings one object nearer to what it should be. Never called twice at once for the same key.
 *
 * <p>An interrupt means that the run is no longer wanted (lost leadership, cluster gone, stop): end
 * soon and write nothing more.
 */
@FunctionalInterface
public interface Reconciler {
  /** An exception counts as {@link ReconcileResult.Retry}. */
  ReconcileResult reconcile(Request request) throws Exception;

  /**
   * What to reconcile.
   *
   * @param failures how often in a row this key has failed before
   * @param run names this attempt in log lines
   */
  record Request(WorkKey key, int failures, String run) {}
}
