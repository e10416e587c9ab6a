// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.explain;

import io.fabric8.kubernetes.api.model.Event;
import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.Age.EventTime;
import io.krypton.cli.view.RolloutObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What can be told about one object; pure.
 *
 * @param events oldest first
 * @param conditions those that matter most first
 */
record Explanation(
    String object,
    String summary,
    List<ObjectEvent> events,
    List<ConditionSummary> conditions,
    List<ReleaseLocation> releases,
    List<String> next) {
  private static final int MAX_EVENTS = 15;

  /** One event. */
  record ObjectEvent(
      String at, String age, String type, String reason, String message, int count) {}

  /** One condition. */
  record ConditionSummary(
      String type, String status, String reason, String since, String message) {}

  /** One release. */
  record ReleaseLocation(
      String cluster, String release, String namespace, String revision, String chart) {}

  /** Finds the object that asked for a release; empty if there is none, or it may not be read. */
  interface ReleaseOwnerLookup {
    Optional<String> find(OwnershipConflict conflict);
  }

  static Explanation of(
      RolloutObject object,
      List<Event> events,
      ReleaseOwnerLookup releaseOwnerLookup,
      Instant now) {
    return new Explanation(
        "%s %s/%s"
            .formatted(
                object.kind().kind(),
                object.metadata().getNamespace(),
                object.metadata().getName()),
        summary(object, now),
        events.stream()
            .sorted(Comparator.comparing(EventTime::of))
            .skip(Math.max(0, events.size() - MAX_EVENTS))
            .map(event -> objectEvent(event, now))
            .toList(),
        object.conditions().stream()
            .sorted(Comparator.comparingInt(condition -> rank(condition.type())))
            .map(condition -> conditionSummary(condition, now))
            .toList(),
        object.releases().stream()
            .map(
                release ->
                    new ReleaseLocation(
                        release.cluster(),
                        text(release.name()),
                        text(release.namespace()),
                        text(release.revision()),
                        text(object.chart())))
            .toList(),
        next(object, releaseOwnerLookup));
  }

  private static String summary(RolloutObject object, Instant now) {
    if (object.isDeleted()) {
      return "is being deleted since " + Age.of(object.metadata().getDeletionTimestamp(), now);
    }
    if (object.observedGeneration() == null) {
      return "no operator has looked at it yet";
    }
    var words = new StringBuilder(object.phaseName());
    if (object.suspended()) {
      words.append(", suspended");
    }
    if (object.isStalled()) {
      words.append(", stalled: it goes on trying, but needs a change");
    }
    if (object.message() != null && !object.message().isBlank()) {
      words.append(": ").append(object.message().lines().findFirst().orElse(""));
    }
    return words.toString();
  }

  private static ObjectEvent objectEvent(Event event, Instant now) {
    var at = EventTime.of(event);
    return new ObjectEvent(
        at.toString(),
        Age.of(at, now),
        text(event.getType()),
        text(event.getReason()),
        text(event.getMessage()),
        event.getCount() == null ? 1 : event.getCount());
  }

  private static ConditionSummary conditionSummary(Condition condition, Instant now) {
    return new ConditionSummary(
        condition.type(),
        status(condition.status()),
        condition.reason(),
        Age.of(condition.lastTransitionTime(), now),
        condition.message());
  }

  private static String status(ConditionStatus status) {
    return switch (status) {
      case TRUE -> "True";
      case FALSE -> "False";
      case UNKNOWN -> "Unknown";
    };
  }

  private static int rank(String type) {
    return switch (type) {
      case "Ready" -> 0;
      case "Reconciling" -> 1;
      case "Stalled" -> 2;
      default -> 3;
    };
  }

  private static List<String> next(RolloutObject object, ReleaseOwnerLookup releaseOwnerLookup) {
    var steps = new ArrayList<String>();
    if (object.observedGeneration() == null && !object.isDeleted()) {
      steps.add(
          "Check on home that this cluster is engaged ('krypton clusters -n NAMESPACE') and that"
              + " the"
              + " operator runs and watches namespace %s."
                  .formatted(object.metadata().getNamespace()));
      return steps;
    }
    if (!object.isObserved() && !object.isDeleted()) {
      steps.add("The operator has not seen the last change yet: wait a moment and look again.");
    }
    var asked = object.annotations().get(Annotations.REQUESTED_AT);
    if (asked != null && !Objects.equals(asked, object.handledRequest())) {
      steps.add("A reconcile was asked for and is not done yet.");
    }
    conflict(object)
        .ifPresent(
            it -> steps.add("Conflict: " + it.remedy(releaseOwnerLookup.find(it).orElse(null))));
    reasons(object)
        .forEach(
            reason ->
                Remedies.of(reason)
                    .filter(remedy -> !remedy.startsWith("Nothing to do"))
                    .map(remedy -> withWorkspace(remedy, object))
                    .ifPresent(remedy -> steps.add(reason + ": " + remedy)));
    return steps.isEmpty() ? List.of("Nothing to do.") : List.copyOf(steps);
  }

  private static Optional<OwnershipConflict> conflict(RolloutObject object) {
    var workspace = object.workspace() == null ? "" : object.workspace();
    return object.conditions().stream()
        .filter(Explanation::isCurrent)
        .flatMap(it -> OwnershipConflict.parse(it.message(), workspace).stream())
        .findFirst();
  }

  /** Reasons that speak of now, the most telling first: what failed, then how it goes on. */
  private static LinkedHashSet<String> reasons(RolloutObject object) {
    var reasons = new LinkedHashSet<String>();
    if (object.suspended()) {
      reasons.add(RolloutReasons.SUSPENDED);
    }
    object.conditions().stream()
        .sorted(Comparator.comparingInt(Explanation::reasonRank))
        .filter(Explanation::isCurrent)
        .map(Condition::reason)
        .forEach(reasons::add);
    return reasons;
  }

  private static int reasonRank(Condition condition) {
    return condition.type().startsWith("ClusterError/") ? -1 : rank(condition.type());
  }

  /** A condition that ended, such as an error that was cured, needs no remedy. */
  private static boolean isCurrent(Condition condition) {
    var isTrue = condition.status() == ConditionStatus.TRUE;
    return switch (condition.type()) {
      case "Ready" -> !isTrue;
      case "Reconciling" -> true;
      case "Stalled" -> isTrue;
      case RolloutConditionTypes.DRIFT_CHECKED -> !isTrue;
      default -> isTrue != hasPositivePolarity(condition.type());
    };
  }

  private static boolean hasPositivePolarity(String type) {
    return type.startsWith(TenantConditionTypes.CLUSTER_READY)
        || type.startsWith(TenantConditionTypes.CLUSTER_DRIFT_CHECKED);
  }

  private static String withWorkspace(String remedy, RolloutObject object) {
    var workspace = object.workspace();
    return workspace == null ? remedy : remedy.replace("WORKSPACE", workspace);
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }

  /**
   * An object that Helm refused to take over, because it belongs to another release; by Helm's own
   * words. Pure.
   *
   * @param object its kind and name
   * @param release the one that it belongs to
   * @param namespace of that release
   */
  record OwnershipConflict(String object, String release, String namespace) {
    private static final Pattern OBJECT =
        Pattern.compile(
            "(\\w+) \"([^\"]+)\" in namespace \"[^\"]*\" exists and cannot be imported");
    private static final String VALUE = "\" must equal \"[^\"]*\": current value is \"([^\"]+)\"";
    private static final Pattern RELEASE = Pattern.compile("meta\\.helm\\.sh/release-name" + VALUE);
    private static final Pattern NAMESPACE =
        Pattern.compile("meta\\.helm\\.sh/release-namespace" + VALUE);

    /**
     * The first conflict that a message tells of; a namespace that is the same is not named there.
     */
    static Optional<OwnershipConflict> parse(String message, String sameNamespace) {
      var object = OBJECT.matcher(message);
      var release = RELEASE.matcher(message);
      if (!object.find() || !release.find()) {
        return Optional.empty();
      }
      var namespace = NAMESPACE.matcher(message);
      return Optional.of(
          new OwnershipConflict(
              object.group(1) + " " + object.group(2),
              release.group(1),
              namespace.find() ? namespace.group(1) : sameNamespace));
    }

    /**
     * What to tell about it.
     *
     * @param owner the object that asked for that release; null if it is not known here
     */
    String remedy(@Nullable String owner) {
      return ("%s belongs to %s (release %s in namespace %s): let one of them leave it out by its"
              + " values, or delete the other.")
          .formatted(object, owner == null ? "another release" : owner, release, namespace);
    }
  }
}
