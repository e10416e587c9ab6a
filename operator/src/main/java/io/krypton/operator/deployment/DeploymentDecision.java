// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.operator.namespace.ReservedNamespaces;

/** What a deployment asks for, before any cluster is asked; pure. */
sealed interface DeploymentDecision {
  record CleanUp(boolean orphan) implements DeploymentDecision {}

  record Suspend() implements DeploymentDecision {}

  /** Only a change of the object helps. */
  record Reject(String reason, String message) implements DeploymentDecision {}

  record RollOut() implements DeploymentDecision {}

  /** Deletion comes before everything else: also an object that would be refused can be deleted. */
  static DeploymentDecision decide(KryptonDeployment deployment, ReservedNamespaces reserved) {
    var metadata = deployment.getMetadata();
    if (metadata.getDeletionTimestamp() != null) {
      return new CleanUp(isOrphaned(deployment));
    }
    if (deployment.getSpec().suspend()) {
      return new Suspend();
    }
    if (deployment.getSpec().account().name().isBlank()) {
      return new Reject(DeploymentReasons.ACCOUNT_MISSING, "Spec.account.name must be set");
    }
    if (reserved.rejects(metadata.getName())) {
      return new Reject(
          RolloutReasons.RESERVED_NAMESPACE,
          "namespace %s is reserved; create the object under another name"
              .formatted(metadata.getName()));
    }
    return new RollOut();
  }

  private static boolean isOrphaned(KryptonDeployment deployment) {
    var annotations = deployment.getMetadata().getAnnotations();
    return annotations != null
        && Annotations.ORPHAN.equals(annotations.get(Annotations.DELETION_POLICY));
  }
}
