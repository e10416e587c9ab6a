package io.krypton.operator.release.helm;

import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.time.Duration;

/**
 * Changes releases on clusters; failures that happen in normal life are results, not exceptions.
 */
public interface HelmClient extends AutoCloseable {

  /**
   * Runs one operation and waits for its end. An interrupt of the calling thread ends the operation
   * and stays set.
   */
  HelmResult run(HelmOperation operation);

  /**
   * Takes a slot for the next operations on a release, without waiting. If there is none, {@code
   * call} is run once there is one for it, on the thread of whoever made room.
   */
  boolean reserve(ReleaseKey release, Runnable call);

  /**
   * Takes, for a release that has a slot, the one turn that a server has for releases with objects
   * that others could want as well: Helm first looks whose an object is, then writes it. If another
   * release has it, the slot is given back, and {@code call} is run once it is this one's turn.
   */
  boolean reserveExclusive(ReleaseKey release, String server, Runnable call);

  /** Gives back the slot of a release and its turn to be alone, or its places in the lines. */
  void releaseReservation(ReleaseKey release);

  /** Whether this client works on a release right now. */
  boolean isRunning(ReleaseKey release);

  /**
   * Whether this was a run of ours on this machine that died, and of which no process is left. An
   * instance of which nothing is known has not.
   */
  boolean hasEnded(String instance);

  /** Asks the running operations on a cluster to end; they return {@link HelmResult.Stopped}. */
  void stop(String cluster);

  /** Ends all operations and refuses new ones. */
  @Override
  void close();

  /** Hears about every operation, for metrics. */
  @FunctionalInterface
  interface OperationListener {
    OperationListener NONE = (operation, result, took) -> {};

    void finished(HelmOperation operation, HelmResult result, Duration took);
  }
}
