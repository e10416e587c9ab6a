// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.view.ObjectName.ObjectKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What Tenants and KryptonDeployments have in common for those who look at them. */
public record RolloutObject(
    ObjectKind kind,
    ObjectMeta metadata,
    boolean suspended,
    @Nullable RolloutPhase phase,
    @Nullable String message,
    @Nullable String chart,
    @Nullable String workspace,
    List<Release> releases,
    @Nullable Long observedGeneration,
    @Nullable String handledRequest,
    @Nullable String handledForce,
    List<Condition> conditions) {

  public static RolloutObject of(Tenant tenant) {
    var status = tenant.getStatus();
    return new RolloutObject(
        ObjectKind.TENANT,
        tenant.getMetadata(),
        tenant.getSpec().suspend(),
        status.phase(),
        status.lastMessage(),
        status.lastAppliedChart(),
        status.workspace(),
        status.releases(),
        status.observedGeneration(),
        status.lastHandledReconcileAt(),
        status.lastHandledForceAt(),
        status.conditions());
  }

  public static RolloutObject of(KryptonDeployment deployment) {
    var status = deployment.getStatus();
    return new RolloutObject(
        ObjectKind.KRYPTON_DEPLOYMENT,
        deployment.getMetadata(),
        deployment.getSpec().suspend(),
        status.phase(),
        status.lastMessage(),
        status.lastAppliedChart(),
        status.workspace(),
        status.releases(),
        status.observedGeneration(),
        status.lastHandledReconcileAt(),
        status.lastHandledForceAt(),
        status.conditions());
  }

  static RolloutObject of(HasMetadata object) {
    return switch (object) {
      case Tenant tenant -> of(tenant);
      case KryptonDeployment deployment -> of(deployment);
      default -> throw new IllegalArgumentException("no kind that asks for releases");
    };
  }

  public ObjectName name() {
    return new ObjectName(kind, metadata.getName());
  }

  public Map<String, String> annotations() {
    return metadata.getAnnotations() == null ? Map.of() : metadata.getAnnotations();
  }

  public boolean isDeleted() {
    return metadata.getDeletionTimestamp() != null;
  }

  /** As long as nobody has said anything it is pending. */
  public String phaseName() {
    return switch (phase) {
      case READY -> "Ready";
      case ERROR -> "Error";
      case PENDING -> "Pending";
      case null -> "Pending";
    };
  }

  /** The one reason that matters most now. */
  public String reason() {
    if (suspended) {
      return RolloutReasons.SUSPENDED;
    }
    return ConditionList.find(conditions, RolloutConditionTypes.READY)
        .map(Condition::reason)
        .orElse("");
  }

  public boolean isStalled() {
    return ConditionList.isTrue(conditions, RolloutConditionTypes.STALLED);
  }

  /** Whether a rollout of the object as it is now has come to an end, good or bad. */
  public boolean isSettled() {
    return observedGeneration != null && observedGeneration.equals(metadata.getGeneration());
  }

  /** Whether the status speaks of the object as it is now: its conditions run ahead of the rest. */
  public boolean isObserved() {
    return isSettled()
        || ConditionList.find(conditions, RolloutConditionTypes.RECONCILING)
            .map(Condition::observedGeneration)
            .filter(generation -> generation.equals(metadata.getGeneration()))
            .isPresent();
  }
}
