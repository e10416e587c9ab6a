package io.krypton.multicluster.controller;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The result of a reconcile, and when the next one is due. */
public sealed interface ReconcileResult {
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
