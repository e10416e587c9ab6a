package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a cluster stands. The type's simple name is the word users see. */
public sealed interface ClusterState {

  /** On the way in; {@code attempts} preparations failed so far. */
  record Connecting(int attempts, @Nullable ClusterFailure last) implements ClusterState {}

  /** Its kubeconfig is not accepted; only a changed Secret helps. */
  record Rejected(String reason) implements ClusterState {}

  /** In use; {@code failedProbes} in a row went unanswered. */
  record Engaged(int failedProbes, @Nullable ClusterFailure last) implements ClusterState {}

  /**
   * Out of reach since it was engaged, or never engaged so far.
   *
   * @param probes how many were made since
   * @param attempts preparations that failed so far, if it was never engaged
   */
  record Unreachable(ClusterFailure failure, boolean wasEngaged, int probes, int attempts)
      implements ClusterState {}

  /** On the way out. */
  record Disengaging() implements ClusterState {}

  static ClusterState initial() {
    return new Connecting(0, null);
  }

  default String value() {
    return getClass().getSimpleName();
  }

  /** The latest failure that still matters. */
  default Optional<ClusterFailure> lastFailure() {
    return switch (this) {
      case Connecting(int attempts, var last) -> Optional.ofNullable(last);
      case Engaged(int failedProbes, var last) -> Optional.ofNullable(last);
      case Unreachable unreachable -> Optional.of(unreachable.failure());
      case Rejected rejected -> Optional.empty();
      case Disengaging disengaging -> Optional.empty();
    };
  }
}
