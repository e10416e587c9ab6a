// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.cli.view.ObjectName.ObjectKind;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Tenants and KryptonDeployments have in common for those who look at them.
 *
 * @param document the whole object as the API server sent it
 */
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
    List<Condition> conditions,
    JsonNode document) {

  public static RolloutObject of(ObjectKind kind, JsonNode object) {
    var status = object.path("status");
    return new RolloutObject(
        kind,
        ObjectTree.metadata(object),
        object.path("spec").path("suspend").asBoolean(),
        phase(status.path("phase").asText("")),
        ObjectTree.text(status, "lastMessage"),
        ObjectTree.text(status, "lastAppliedChart"),
        ObjectTree.text(status, "workspace"),
        ObjectTree.releases(status.path("releases")),
        ObjectTree.number(status, "observedGeneration"),
        ObjectTree.text(status, "lastHandledReconcileAt"),
        ObjectTree.text(status, "lastHandledForceAt"),
        ObjectTree.conditions(status.path("conditions")),
        object);
  }

  private static @Nullable RolloutPhase phase(String value) {
    return switch (value) {
      case "Ready" -> RolloutPhase.READY;
      case "Error" -> RolloutPhase.ERROR;
      case "Pending" -> RolloutPhase.PENDING;
      default -> null;
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
