// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.rolloutapproval.RolloutApproval;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.classes.revision.RevisionStore;
import io.krypton.operator.release.reconcile.ReferencedValues;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The classes of the home cluster with all that belongs to them, and what is needed to write it.
 */
record HomeClasses(
    KubernetesClient client,
    String namespace,
    ObjectCache<TenantClass> classes,
    ObjectCache<ChartRollout> rollouts,
    ObjectCache<RolloutApproval> approvals,
    Writers writers,
    EventRecorder events,
    ReferencedValues references,
    RevisionStore revisions) {
  private static final String BY_CLASS = "class";
  private static final String BY_ROLLOUT = "rollout";

  /** What writes the status of each kind. */
  record Writers(
      StatusWriter<TenantClass> classes,
      StatusWriter<ChartRollout> rollouts,
      StatusWriter<RolloutApproval> approvals) {}

  /** The index that the cache of rollouts must have. */
  static Map<String, Function<ChartRollout, List<String>>> rolloutIndexes() {
    return Map.of(BY_CLASS, rollout -> List.of(rollout.getSpec().className()));
  }

  /** The index that the cache of approvals must have. */
  static Map<String, Function<RolloutApproval, List<String>>> approvalIndexes() {
    return Map.of(BY_ROLLOUT, approval -> List.of(approval.getSpec().rollout()));
  }

  List<ChartRollout> rolloutsOf(String className) {
    return rollouts.byIndex(BY_CLASS, className);
  }

  List<RolloutApproval> approvalsOf(String rollout) {
    return approvals.byIndex(BY_ROLLOUT, rollout);
  }

  boolean exists(String className) {
    return classes.get(namespace, className).isPresent();
  }
}
