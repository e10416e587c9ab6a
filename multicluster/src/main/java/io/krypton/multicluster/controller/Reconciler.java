// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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

  /** The result of a reconcile, and when the next one is due. */
  sealed interface ReconcileResult {
    /** Done until something changes. */
    record Done() implements ReconcileResult {}

    /** Success, requeued after a delay. The back-off is reset. */
    record RequeueAfter(Duration pause) implements ReconcileResult {
      public RequeueAfter {
        if (pause.isNegative()) {
          throw new IllegalArgumentException("delay must not be negative: " + pause);
        }
      }
    }

    /**
     * Nothing was tried, because something else must end first: requeued after a delay. Neither a
     * success nor a failure, so the back-off is kept.
     */
    record Postpone(Duration pause) implements ReconcileResult {
      public Postpone {
        if (pause.isNegative()) {
          throw new IllegalArgumentException("delay must not be negative: " + pause);
        }
      }
    }

    /**
     * Failed: requeued after the back-off.
     *
     * @param reason the class of the failure, stable across repetitions, e.g. {@code HTTP 403}
     * @param message for people; may differ each time
     */
    record Retry(String reason, String message, @Nullable Throwable cause)
        implements ReconcileResult {}

    static ReconcileResult done() {
      return new Done();
    }

    static ReconcileResult requeueAfter(Duration pause) {
      return new RequeueAfter(pause);
    }

    static ReconcileResult postpone(Duration pause) {
      return new Postpone(pause);
    }

    static ReconcileResult retry(String reason, String message) {
      return new Retry(reason, message, null);
    }
  }
}
