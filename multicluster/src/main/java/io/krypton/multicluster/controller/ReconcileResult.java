package io.krypton.multicluster.controller;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a reconcile ended, and when the next one is due. */
public sealed interface ReconcileResult {
  /** Nothing left to do until something changes. */
  record Done() implements ReconcileResult {}

  /** All well, but look again after a pause. Not a failure: the back-off starts anew. */
  record RequeueAfter(Duration pause) implements ReconcileResult {
    public RequeueAfter {
      if (pause.isNegative()) {
        throw new IllegalArgumentException("pause is negative: " + pause);
      }
    }
  }

  /**
   * Nothing was tried, because something else must end first: look again after a pause. Neither a
   * success nor a failure, so the back-off goes on where it was.
   */
  record Postpone(Duration pause) implements ReconcileResult {
    public Postpone {
      if (pause.isNegative()) {
        throw new IllegalArgumentException("pause is negative: " + pause);
      }
    }
  }

  /**
   * Failed: again after the back-off.
   *
   * @param reason the class of the failure, the same for each repetition, e.g. {@code HTTP 403}
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
