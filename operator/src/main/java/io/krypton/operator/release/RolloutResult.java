// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.operator.release.decide.DeployedRelease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a rollout stands after a run. */
public sealed interface RolloutResult {

  /** The release is there and its workloads are ready. */
  record Deployed(Change change, DeployedRelease release) implements RolloutResult {}

  /**
   * The release is there; workloads are starting. Their watch enqueues the owner, at the latest the
   * deadline does.
   */
  record WorkloadsPending(
      Change change, DeployedRelease release, List<String> workloads, Duration remaining)
      implements RolloutResult {
    public WorkloadsPending {
      workloads = List.copyOf(workloads);
    }
  }

  /** Something must end first; {@code requeueAfter} is null if a watch enqueues the owner then. */
  record Waiting(WaitReason reason, @Nullable Duration requeueAfter) implements RolloutResult {}

  /** It did not work; nothing after the failed step was done. */
  record Failed(FailureReason reason, String message) implements RolloutResult {}

  /** The release is there, but what it holds could not be read. */
  record InspectionFailed(DeployedRelease release, String message) implements RolloutResult {}

  /** The release is there and nothing was done; the caches of its objects are not synced yet. */
  record CachesNotSynced(DeployedRelease release) implements RolloutResult {}

  /** There is no free Helm slot; nothing was done, and the owner is enqueued when there is one. */
  record WaitingForHelmSlot() implements RolloutResult {}

  /**
   * The owner waits for its turn in the rollout of a class.
   *
   * @param deployed the release as it stands until then; null if nothing may be rolled out
   */
  record Held(@Nullable Deployed deployed, String reason, String message)
      implements RolloutResult {}

  /** The owner asks for what its class does not give; nothing was done. */
  record Refused(EventReason reason, String message) implements RolloutResult {}

  /** The cluster did not answer; nothing is known about the release. */
  record ClusterUnreachable(String message) implements RolloutResult {}

  /** The release, in so far as it is known to stand. */
  default Optional<DeployedRelease> deployedRelease() {
    return switch (this) {
      case Deployed(var change, var release) -> Optional.of(release);
      case WorkloadsPending pending -> Optional.of(pending.release());
      case InspectionFailed(var release, var message) -> Optional.of(release);
      case CachesNotSynced(var release) -> Optional.of(release);
      case Waiting blocked -> Optional.empty();
      case Failed failed -> Optional.empty();
      case WaitingForHelmSlot waiting -> Optional.empty();
      case Held held -> Optional.ofNullable(held.deployed()).map(Deployed::release);
      case Refused refused -> Optional.empty();
      case ClusterUnreachable clusterUnreachable -> Optional.empty();
    };
  }

  /** The release that this run has rolled out or found as it should be. */
  default Optional<DeployedRelease> appliedRelease() {
    return isReady() || this instanceof WorkloadsPending ? deployedRelease() : Optional.empty();
  }

  /** Whether the release is there and its workloads are ready. */
  default boolean isReady() {
    return this instanceof Deployed || (this instanceof Held held && held.deployed() != null);
  }

  /** The same for an owner that waits: there is more to come once the release is ready. */
  default RolloutResult held(String reason, String message) {
    return this instanceof Deployed deployed ? new Held(deployed, reason, message) : this;
  }

  /** Whether it says something about the owner, and not about the cluster or our own waiting. */
  default boolean isAboutOwner() {
    return !(this instanceof ClusterUnreachable
        || this instanceof CachesNotSynced
        || this instanceof WaitingForHelmSlot);
  }

  /** Whether Helm has run, with whatever success. */
  default boolean helmRan() {
    return switch (this) {
      case Deployed(var change, var release) -> change.isHelmRun();
      case WorkloadsPending pending -> pending.change().isHelmRun();
      case Failed(var failureReason, var message) ->
          failureReason == FailureReason.INSTALL_FAILED
              || failureReason == FailureReason.UPGRADE_FAILED;
      case Waiting blocked -> false;
      case InspectionFailed inspectionFailed -> false;
      case CachesNotSynced cachesNotSynced -> false;
      case WaitingForHelmSlot waiting -> false;
      case Held held -> held.deployed() != null && held.deployed().helmRan();
      case Refused refused -> false;
      case ClusterUnreachable clusterUnreachable -> false;
    };
  }

  /** What the run did to the release. */
  enum Change {
    INSTALLED,
    UPGRADED,
    /** Nothing, and a run was requested. */
    CONFIRMED,
    /** Nothing, and no run was requested. */
    NONE;

    /** Whether Helm has run with success. */
    public boolean isHelmRun() {
      return this == INSTALLED || this == UPGRADED;
    }
  }

  /** What a rollout waits for. */
  enum WaitReason {
    CHART_LOADING,
    RELEASE_LOCKED,
    WORKSPACE_TERMINATING,
    /** Others undo our repairs; the next one comes after a pause. */
    TOO_MANY_REPAIRS
  }

  /** When an owner is reconciled again after a rollout. */
  final class RequeuePolicy {
    /** The breaker of a cluster that does not answer needs a few probes to open. */
    private static final Duration UNREACHABLE_DELAY = Duration.ofSeconds(5);

    private RequeuePolicy() {}

    /**
     * The outcome of a run.
     *
     * @param interval the pause while nothing is known to be due
     */
    public static ReconcileResult after(RolloutResult rolloutResult, Duration interval) {
      return switch (rolloutResult) {
        case RolloutResult.Deployed deployed -> ReconcileResult.requeueAfter(interval);
        case RolloutResult.WorkloadsPending pending ->
            ReconcileResult.requeueAfter(shorter(pending.remaining(), interval));
        case RolloutResult.Waiting(var waitReason, var requeueAfter) ->
            ReconcileResult.postpone(
                requeueAfter == null ? interval : shorter(requeueAfter, interval));
        case RolloutResult.Failed(var failureReason, var message) ->
            failureReason.waitsForChange()
                ? ReconcileResult.requeueAfter(interval)
                : ReconcileResult.retry(failureReason.value(), message);
        case RolloutResult.InspectionFailed(var release, var message) ->
            ReconcileResult.retry("Unchecked", message);
        case RolloutResult.CachesNotSynced cachesNotSynced -> ReconcileResult.postpone(interval);
        case RolloutResult.WaitingForHelmSlot waiting -> ReconcileResult.postpone(interval);
        case RolloutResult.Held held -> ReconcileResult.requeueAfter(interval);
        case RolloutResult.Refused refused -> ReconcileResult.requeueAfter(interval);
        case RolloutResult.ClusterUnreachable(var message) ->
            ReconcileResult.postpone(UNREACHABLE_DELAY);
      };
    }

    /**
     * Whether the cluster did not answer at all. That is a matter of the cluster, whose circuit
     * breaker counts it, not of the object.
     */
    public static boolean isNoAnswer(KubernetesClientException failure) {
      return failure.getCode() <= 0 && !Thread.currentThread().isInterrupted();
    }

    /** The outcome of a run in which a cluster did not answer. */
    public static ReconcileResult afterNoAnswer() {
      return ReconcileResult.postpone(UNREACHABLE_DELAY);
    }

    /** The shorter of two pauses; one that is over already counts as none. */
    public static Duration shorter(Duration one, Duration other) {
      var positive = one.isNegative() ? Duration.ZERO : one;
      return positive.compareTo(other) < 0 ? positive : other;
    }
  }

  /** Why a rollout failed; the value is the reason that users see in conditions. */
  enum FailureReason {
    INSTALL_FAILED("InstallFailed", Severity.FATAL, Remedy.TIME),
    UPGRADE_FAILED("UpgradeFailed", Severity.FATAL, Remedy.TIME),
    UNINSTALL_FAILED(EventReason.HELM_UNINSTALL_FAILED.value(), Severity.FATAL, Remedy.TIME),
    HELM_CONFIG_INIT_FAILED(
        EventReason.HELM_CONFIG_INIT_FAILED.value(), Severity.FATAL, Remedy.TIME),
    WORKSPACE_CREATE_FAILED(
        EventReason.WORKSPACE_CREATE_FAILED.value(), Severity.FATAL, Remedy.TIME),
    NAMESPACE_CONFLICT(
        EventReason.NAMESPACE_CONFLICT.value(), Severity.FATAL, Remedy.ANOTHER_OBJECT),
    RESERVED_NAMESPACE(EventReason.RESERVED_NAMESPACE.value(), Severity.FATAL, Remedy.THE_USER),
    VALUES_NOT_FOUND(EventReason.VALUES_NOT_FOUND.value(), Severity.FATAL, Remedy.TIME),
    VALUES_INVALID(EventReason.VALUES_INVALID.value(), Severity.FATAL, Remedy.TIME),
    CHART_DIGEST_MISMATCH(EventReason.CHART_DIGEST_MISMATCH.value(), Severity.FATAL, Remedy.TIME),
    WORKLOADS_NOT_READY(
        EventReason.WORKLOADS_NOT_READY.value(), Severity.FATAL, Remedy.ANOTHER_OBJECT),
    CHART_NOT_LOADED(EventReason.CHART_NOT_LOADED.value(), Severity.SKIPPABLE, Remedy.TIME),
    VERSION_NOT_FOUND("VersionNotFound", Severity.SKIPPABLE, Remedy.TIME),
    VERSION_INVALID("VersionInvalid", Severity.SKIPPABLE, Remedy.THE_USER);

    private enum Severity {
      FATAL,
      SKIPPABLE
    }

    /** What can end the failure. */
    private enum Remedy {
      TIME,
      ANOTHER_OBJECT,
      THE_USER
    }

    private final String value;
    private final Severity severity;
    private final Remedy remedy;

    FailureReason(String value, Severity severity, Remedy remedy) {
      this.value = value;
      this.severity = severity;
      this.remedy = remedy;
    }

    public String value() {
      return value;
    }

    /** Whether it need not count as an error of its owner: the chart is unavailable. */
    public boolean isSkippable() {
      return severity == Severity.SKIPPABLE;
    }

    /** Whether a retry is useless: only another object or the user can end the failure. */
    public boolean waitsForChange() {
      return remedy != Remedy.TIME;
    }
  }
}
