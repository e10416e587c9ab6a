// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

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
   * call} is run once there is one for it, on the thread that released one.
   */
  boolean reserve(ReleaseKey release, Runnable call);

  /**
   * Takes, for a release that has a slot, the exclusive lock of a server for releases with objects
   * that others could hold as well: Helm first reads the owner of an object, then writes it. If
   * another release has the lock, the slot is released, and {@code call} is run once it is free.
   */
  boolean reserveExclusive(ReleaseKey release, String server, Runnable call);

  /** Releases slot and exclusive lock of a release, or its places in their queues. */
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

  /**
   * The revision that an install, upgrade or rollback has stored as deployed. The manifest is that
   * of the stored revision, without hooks; it may hold Secrets, so it shows in no {@code toString}.
   */
  record AppliedRelease(int revision, String manifest) {
    @Override
    public String toString() {
      return "AppliedRelease(%d)".formatted(revision);
    }
  }

  /**
   * How an operation ended. Messages are bounded and hold neither credentials nor secret values.
   */
  sealed interface HelmResult {

    /** The value of the metrics label {@code result}. */
    String value();

    /**
     * Helm did it.
     *
     * @param release what was stored, if the engine tells it; null does not mean that there is none
     */
    record Done(@Nullable AppliedRelease release) implements HelmResult {
      /** The engine tells nothing of the release. */
      public Done() {
        this(null);
      }

      @Override
      public String value() {
        return "done";
      }
    }

    /** Helm said no. */
    record Failed(String message) implements HelmResult {
      @Override
      public String value() {
        return "failed";
      }
    }

    /** Helm did not get through to the API server: a matter of the cluster, not of the release. */
    record Unreachable(String message) implements HelmResult {
      @Override
      public String value() {
        return "unreachable";
      }
    }

    /** Ended by us after this time; the release is failed or pending. */
    record TimedOut(Duration limit, String message) implements HelmResult {
      @Override
      public String value() {
        return "timed_out";
      }
    }

    /**
     * Ended, or never begun, because the caller was interrupted, the cluster left or we shut down.
     */
    record Stopped() implements HelmResult {
      @Override
      public String value() {
        return "stopped";
      }
    }

    /** Not begun: the release is being worked on, or there is no free slot. */
    record Busy(String reason) implements HelmResult {
      @Override
      public String value() {
        return "busy";
      }
    }

    /** Not begun: neither Helm nor a directory for its files can be used. */
    record Unusable(String reason) implements HelmResult {
      @Override
      public String value() {
        return "unusable";
      }
    }
  }
}
