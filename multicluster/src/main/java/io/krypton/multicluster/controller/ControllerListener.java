package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;
import java.time.Duration;

/** Hears of each run, for metrics. Called on the worker's thread: must be quick. */
@FunctionalInterface
public interface ControllerListener {
  /**
   * A run has ended.
   *
   * @param waited how long the key was due before the run
   * @param took how long the run lasted
   */
  void finished(WorkKey key, Outcome outcome, Duration waited, Duration took);

  static ControllerListener none() {
    return (_, _, _, _) -> {};
  }
}
