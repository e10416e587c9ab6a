// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a cluster. Users see the simple name of the type. */
public sealed interface ClusterState {

  /** Being engaged; {@code attempts} runs of the engage steps failed so far. */
  record Connecting(int attempts, @Nullable ClusterFailure last) implements ClusterState {}

  /** The kubeconfig is refused; only a changed Secret helps. */
  record Rejected(String reason) implements ClusterState {}

  /** In use; {@code failedProbes} probes in a row failed. */
  record Engaged(int failedProbes, @Nullable ClusterFailure last) implements ClusterState {}

  /**
   * Does not answer or refuses the credentials; it may never have been engaged.
   *
   * @param probes probes since
   * @param attempts failed runs of the engage steps, if it was never engaged
   */
  record Unreachable(ClusterFailure failure, boolean wasEngaged, int probes, int attempts)
      implements ClusterState {}

  /** Being disengaged. */
  record Disengaging() implements ClusterState {}

  static ClusterState initial() {
    return new Connecting(0, null);
  }

  default String value() {
    return getClass().getSimpleName();
  }

  /** The current failure, if any. */
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
