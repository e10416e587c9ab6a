// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that the API of a cluster says about one Tenant and what belongs to it, read at one time.
 *
 * @param tenant the object itself, unless it is gone
 * @param namespace whether its workspace is there
 * @param message what the ConfigMap of the release says, if there is one
 * @param revisions the status of each revision that Helm keeps, oldest first
 * @param releases names of the releases in the workspace
 * @param objects how many objects of each kind are in the workspace, without those that Kubernetes
 *     makes itself
 */
public record TenantFact(
    String cluster,
    String name,
    Optional<TenantState> tenant,
    boolean namespace,
    Optional<String> message,
    List<String> revisions,
    List<String> releases,
    Map<String, Integer> objects) {
  public TenantFact {
    revisions = List.copyOf(revisions);
    releases = List.copyOf(releases);
    objects = Map.copyOf(objects);
  }

  /**
   * What a Tenant says.
   *
   * @param ready status and reason of the condition Ready
   * @param reconciling status and reason of the condition Reconciling
   */
  public record TenantState(boolean deleting, String ready, String reconciling, String message) {
    boolean isReady() {
      return !deleting && ready.startsWith("True/");
    }

    boolean isSettled() {
      return reconciling.isEmpty() || reconciling.startsWith("False/");
    }
  }
}
