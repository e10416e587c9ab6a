package io.krypton.operator.helm;

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

  /** Gives back the slot of a release, or its place in the line for one. */
  void giveBack(ReleaseKey release);

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
}
