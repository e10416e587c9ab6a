// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import java.util.Optional;

/**
 * Runs Helm operations, each as soon as it is asked for it; slots and locks are the matter of
 * {@link BoundedHelmClient}.
 */
public interface HelmEngine extends AutoCloseable {

  /**
   * Runs one operation and waits for its end. An interrupt of the calling thread ends the operation
   * and stays set. When this returns, nothing of the operation is on its way to the cluster.
   */
  HelmResult run(HelmOperation operation);

  /** How many operations it can take at once. */
  ConcurrencyLimits limits();

  /** Downloads and packs charts. */
  ChartTool charts();

  /** Renders charts without a cluster. */
  ChartRenderer renderer();

  /** An id that no other run of the program has; the next one knows it as ended if this dies. */
  String instance();

  /** Whether this was a run on this machine that died, and of which no process is left. */
  boolean hasEnded(String instance);

  /** Asks the running operations on a cluster to end; they return {@link HelmResult.Stopped}. */
  void stop(String cluster);

  /** Drops what is kept of a cluster, which has left or changed; running operations go on. */
  void forget(String cluster);

  /** Makes sure that it can be used; may take as long as starting a program does. */
  Readiness check() throws InterruptedException;

  /** What keeps it from running, as far as is known; costs nothing. */
  Optional<String> problem();

  EngineStatus status();

  /** Ends all operations and refuses new ones. */
  @Override
  void close();

  /** What a check found. */
  sealed interface Readiness {

    /** The version is that of Helm. */
    record Ready(String version) implements Readiness {}

    record NotReady(String reason) implements Readiness {}
  }

  /**
   * What an engine is and uses, for metrics and people.
   *
   * @param engine as flags call it; empty while none is chosen
   * @param reason why it is this one
   * @param version of Helm; empty while it is not known
   * @param processes alive now
   * @param workerBytes resident memory of the workers by their last answers
   */
  record EngineStatus(
      String engine, String reason, String version, int processes, long workerBytes) {}

  /** Hears why a worker was replaced, for metrics. */
  @FunctionalInterface
  interface WorkerListener {
    WorkerListener NONE = reason -> {};

    void replaced(RestartReason reason);
  }

  /** Why a worker was replaced. */
  enum RestartReason {
    CRASH("crash"),
    HANG("hang"),
    OPERATIONS("operations"),
    MEMORY("memory"),
    STUCK("stuck");

    private final String value;

    RestartReason(String value) {
      this.value = value;
    }

    /** The value of the metrics label {@code reason}. */
    public String value() {
      return value;
    }
  }
}
