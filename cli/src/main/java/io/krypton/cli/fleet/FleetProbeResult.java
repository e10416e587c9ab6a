// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.cli.view.RolloutObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a cluster itself says when it is asked now. */
sealed interface FleetProbeResult {
  /**
   * It answers.
   *
   * @param tenants null if they may not be listed
   * @param kms null if there is none, or it may not be read
   * @param unreadable what could not be read and why, or empty
   */
  record Reachable(
      String version,
      @Nullable List<RolloutObject> tenants,
      @Nullable KmsHealthDocument kms,
      String unreadable)
      implements FleetProbeResult {
    public Reachable {
      tenants = tenants == null ? null : List.copyOf(tenants);
    }
  }

  /** The kubeconfig is not one that the operator would use. */
  record Rejected(String reason) implements FleetProbeResult {}

  record Unreachable(String message) implements FleetProbeResult {}

  /** We have no way to ask. */
  record NotProbed() implements FleetProbeResult {}
}
