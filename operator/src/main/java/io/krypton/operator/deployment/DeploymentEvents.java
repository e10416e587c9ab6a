package io.krypton.operator.deployment;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Conditions;
import io.krypton.api.deployment.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditions;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.operator.rollout.Journal.Happening;
import io.krypton.operator.rollout.Problem;
import io.krypton.operator.rollout.UncheckedObject;
import io.krypton.operator.rollout.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The words of the events of deployments, which differ from those of Tenants in places; pure. */
final class DeploymentEvents {
  private DeploymentEvents() {}

  static Words of(Happening happening, String region, String namespace) {
    return switch (happening) {
      case Happening.WorkspaceCreated(var created) ->
          Words.normal(
              "EdgeNamespaceCreated", "Namespace %s created on %s".formatted(created, region));
      case Happening.WorkspaceReused(var reused) ->
          Words.normal(
              "EdgeNamespaceExists",
              "Namespace %s exists on %s and is used, not owned".formatted(reused, region));
      case Happening.Installed(var release) -> deployed(release.value(), namespace);
      case Happening.Upgraded(var release) -> deployed(release.value(), namespace);
      case Happening.Uninstalled(var release) ->
          Words.normal("HelmUninstalled", "Uninstalled release " + release);
      case Happening.WorkspaceDeleteRequested(var requested) ->
          Words.normal(
              "EdgeNamespaceDeleteRequested", "Requested deletion for namespace " + requested);
      case Happening other -> Words.of(other);
    };
  }

  private static Words deployed(String release, String namespace) {
    return Words.normal("HelmDeployed", "Release %s deployed to %s".formatted(release, namespace));
  }

  /** The reason that condition Ready gives for a problem of the engine. */
  static String reasonOf(Problem problem) {
    return switch (problem) {
      case NAMESPACE_CONFLICT -> RolloutReasons.NAMESPACE_CONFLICT;
      case RESERVED_NAMESPACE -> RolloutReasons.RESERVED_NAMESPACE;
      case VALUES_NOT_FOUND -> RolloutReasons.VALUES_NOT_FOUND;
      case VALUES_INVALID -> RolloutReasons.VALUES_INVALID;
      case WORKLOADS_NOT_READY -> RolloutReasons.WORKLOADS_NOT_READY;
      case INSTALL_FAILED,
          UPGRADE_FAILED,
          HELM_CONFIG_INIT_FAILED,
          WORKSPACE_CREATE_FAILED,
          CHART_DIGEST_MISMATCH,
          CHART_NOT_LOADED,
          VERSION_NOT_FOUND,
          VERSION_INVALID ->
          DeploymentReasons.HELM_FAILED;
    };
  }

  /** What a new status has to announce. */
  static List<Words> ofChange(List<Condition> before, List<Condition> after, String region) {
    var words = new ArrayList<Words>();
    var known = Conditions.find(before, RolloutConditions.READY);
    Conditions.find(after, RolloutConditions.READY)
        .flatMap(ready -> ofReady(known, ready, region))
        .ifPresent(words::add);
    Conditions.find(after, RolloutConditions.STALLED)
        .filter(stalled -> stalled.reason().equals(RolloutReasons.WORKLOADS_NOT_READY))
        .filter(stalled -> !Conditions.isTrue(before, RolloutConditions.STALLED))
        .map(stalled -> Words.warning(stalled.reason(), stalled.message()))
        .ifPresent(words::add);
    UncheckedObject.news(before, after, RolloutConditions.DRIFT_CHECKED).ifPresent(words::add);
    var wasSuspended = isSuspended(before);
    if (wasSuspended != isSuspended(after)) {
      words.add(
          wasSuspended
              ? Words.normal("Resumed", "reconciliation goes on")
              : Words.normal("Suspended", "nothing is installed, upgraded or repaired"));
    }
    return words;
  }

  private static Optional<Words> ofReady(
      Optional<Condition> before, Condition ready, String region) {
    if (before.filter(known -> saysTheSame(known, ready)).isPresent()) {
      return Optional.empty();
    }
    return switch (ready.reason()) {
      case RolloutReasons.DEPLOYED ->
          Optional.of(Words.normal("Ready", "Deployment ready in region " + region));
      case RolloutReasons.NOT_READY -> Optional.of(Words.normal("NotReady", ready.message()));
      case DeploymentReasons.HELM_FAILED ->
          Optional.of(Words.warning("HelmDeployFailed", ready.message()));
      // The journal tells these when they happen.
      case RolloutReasons.REPAIR_TRIGGERED,
          RolloutReasons.DELETING,
          RolloutReasons.PROGRESSING,
          DeploymentReasons.HELM_UNINSTALL_FAILED ->
          Optional.empty();
      default -> Optional.of(Words.warning(ready.reason(), ready.message()));
    };
  }

  /** Workloads get ready one by one: the shorter list is no news. */
  private static boolean saysTheSame(Condition known, Condition ready) {
    return known.reason().equals(ready.reason())
        && (known.message().equals(ready.message())
            || ready.reason().equals(RolloutReasons.NOT_READY));
  }

  private static boolean isSuspended(List<Condition> conditions) {
    return Conditions.find(conditions, RolloutConditions.RECONCILING)
        .filter(condition -> condition.reason().equals(RolloutReasons.SUSPENDED))
        .isPresent();
  }
}
