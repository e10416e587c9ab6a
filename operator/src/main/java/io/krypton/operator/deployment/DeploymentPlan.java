package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.deployment.DeploymentReasons;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.operator.rollout.ReservedNamespaces;

/** What a deployment asks for, before any cluster is looked at; pure. */
sealed interface DeploymentPlan {
  record CleanUp(boolean orphan) implements DeploymentPlan {}

  record Rest() implements DeploymentPlan {}

  /** Only a change of the object helps. */
  record Refuse(String reason, String message) implements DeploymentPlan {}

  record RollOut() implements DeploymentPlan {}

  /** Deletion comes before everything else: also an object that would be refused can be deleted. */
  static DeploymentPlan of(KryptonDeployment deployment, ReservedNamespaces reserved) {
    var metadata = deployment.getMetadata();
    if (metadata.getDeletionTimestamp() != null) {
      return new CleanUp(isOrphaned(deployment));
    }
    if (deployment.getSpec().suspend()) {
      return new Rest();
    }
    if (deployment.getSpec().account().name().isBlank()) {
      return new Refuse(DeploymentReasons.ACCOUNT_MISSING, "Spec.account.name must be set");
    }
    if (reserved.refuses(metadata.getName())) {
      return new Refuse(
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
