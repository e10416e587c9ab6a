package io.krypton.kms.protocol;

import java.time.Duration;

/** Ends what takes too long. */
@FunctionalInterface
interface CallTimer {

  /**
   * Starts to count when everything written so far has left this process, and then runs the task.
   * What has arrived by that moment is read before the task runs.
   */
  void start(Duration time, Runnable task);
}
