package io.krypton.multicluster.controller;

/**
 * Brings one object nearer to what it should be. Never called twice at once for the same key.
 *
 * <p>An interrupt means that the run is no longer wanted (lost leadership, cluster gone, stop): end
 * soon and write nothing more.
 */
@FunctionalInterface
public interface Reconciler {
  /** An exception counts as {@link Outcome.Retry}. */
  Outcome reconcile(Request request) throws Exception;
}
