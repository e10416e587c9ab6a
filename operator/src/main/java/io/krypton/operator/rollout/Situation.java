package io.krypton.operator.rollout;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a rollout stands after a run. */
public sealed interface Situation {

  /** The release is there and its workloads are ready. */
  record Deployed(Change change, DeployedRelease release) implements Situation {}

  /**
   * The release is there; workloads still start. Their watch wakes us, at the latest the deadline.
   */
  record WorkloadsPending(
      Change change, DeployedRelease release, List<String> workloads, Duration left)
      implements Situation {
    public WorkloadsPending {
      workloads = List.copyOf(workloads);
    }
  }

  /** Something must end first; {@code lookAgain} is null if a watch will tell. */
  record Blocked(Obstacle obstacle, @Nullable Duration lookAgain) implements Situation {}

  /** It did not work; nothing after the failed step was done. */
  record Failed(Problem problem, String message) implements Situation {}

  /** The release is there, but what it holds could not be read. */
  record Unchecked(DeployedRelease release, String message) implements Situation {}

  /** The release is there and nothing was done; watches that would tell more have just begun. */
  record StillLooking(DeployedRelease release) implements Situation {}

  /** Helm is busy with others; nothing was done, and it is called when it is its turn. */
  record WaitingForTurn() implements Situation {}

  /** The cluster did not answer; that says nothing about the rollout. */
  record OutOfReach(String message) implements Situation {}

  /** The release, in so far as it is known to stand. */
  default Optional<DeployedRelease> standing() {
    return switch (this) {
      case Deployed(var change, var release) -> Optional.of(release);
      case WorkloadsPending pending -> Optional.of(pending.release());
      case Unchecked(var release, var message) -> Optional.of(release);
      case StillLooking(var release) -> Optional.of(release);
      case Blocked blocked -> Optional.empty();
      case Failed failed -> Optional.empty();
      case WaitingForTurn waiting -> Optional.empty();
      case OutOfReach outOfReach -> Optional.empty();
    };
  }

  /** Whether Helm has run, with whatever success. */
  default boolean hasRunHelm() {
    return switch (this) {
      case Deployed(var change, var release) -> change.isByHelm();
      case WorkloadsPending pending -> pending.change().isByHelm();
      case Failed(var problem, var message) ->
          problem == Problem.INSTALL_FAILED || problem == Problem.UPGRADE_FAILED;
      case Blocked blocked -> false;
      case Unchecked unchecked -> false;
      case StillLooking stillLooking -> false;
      case WaitingForTurn waiting -> false;
      case OutOfReach outOfReach -> false;
    };
  }

  /** What the run did to the release. */
  enum Change {
    INSTALLED,
    UPGRADED,
    /** Nothing, and somebody had asked. */
    CONFIRMED,
    /** Nothing, and nobody had asked. */
    NONE;

    /** Whether Helm has run with success. */
    public boolean isByHelm() {
      return this == INSTALLED || this == UPGRADED;
    }
  }

  /** What a rollout waits for. */
  enum Obstacle {
    CHART_LOADING,
    RELEASE_LOCKED,
    WORKSPACE_TERMINATING,
    /** Others undo our repairs; the next one comes after a pause. */
    TOO_MANY_REPAIRS
  }
}
