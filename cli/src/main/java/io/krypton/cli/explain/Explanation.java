package io.krypton.cli.explain;

import io.fabric8.kubernetes.api.model.Event;
import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.rollout.RolloutConditions;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.api.tenant.TenantConditions;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.EventTime;
import io.krypton.cli.view.RolloutObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
    List<Happened> events,
    List<Said> conditions,
    List<Where> releases,
    List<String> next) {
  private static final int MOST_EVENTS = 15;

  /** One event. */
  record Happened(String at, String age, String type, String reason, String message, int count) {}

  /** One condition. */
  record Said(String type, String status, String reason, String since, String message) {}

  /** One release. */
  record Where(String cluster, String release, String namespace, String revision, String chart) {}

  /** Finds the object that asked for a release; empty if there is none, or it may not be read. */
  interface Owners {
    Optional<String> of(OwnershipConflict conflict);
  }

  static Explanation of(RolloutObject object, List<Event> events, Owners owners, Instant now) {
    return new Explanation(
        "%s %s/%s"
            .formatted(
                object.kind().kind(),
                object.metadata().getNamespace(),
                object.metadata().getName()),
        summary(object, now),
        events.stream()
            .sorted(Comparator.comparing(EventTime::of))
            .skip(Math.max(0, events.size() - MOST_EVENTS))
            .map(event -> happened(event, now))
            .toList(),
        object.conditions().stream()
            .sorted(Comparator.comparingInt(condition -> rank(condition.type())))
            .map(condition -> said(condition, now))
            .toList(),
        object.releases().stream()
            .map(
                release ->
                    new Where(
                        release.cluster(),
                        text(release.name()),
                        text(release.namespace()),
                        text(release.revision()),
                        text(object.chart())))
            .toList(),
        next(object, owners));
  }

  private static String summary(RolloutObject object, Instant now) {
    if (object.isDeleted()) {
      return "is being deleted since " + Age.of(object.metadata().getDeletionTimestamp(), now);
    }
    if (object.observedGeneration() == null) {
      return "no operator has looked at it yet";
    }
    var words = new StringBuilder(object.phaseWord());
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

  private static Happened happened(Event event, Instant now) {
    var at = EventTime.of(event);
    return new Happened(
        at.toString(),
        Age.of(at, now),
        text(event.getType()),
        text(event.getReason()),
        text(event.getMessage()),
        event.getCount() == null ? 1 : event.getCount());
  }

  private static Said said(Condition condition, Instant now) {
    return new Said(
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

  private static List<String> next(RolloutObject object, Owners owners) {
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
        .ifPresent(it -> steps.add("Conflict: " + it.remedy(owners.of(it).orElse(null))));
    reasons(object)
        .forEach(
            reason ->
                Remedies.of(reason)
                    .filter(remedy -> !remedy.startsWith("Nothing to do"))
                    .map(remedy -> inPlace(remedy, object))
                    .ifPresent(remedy -> steps.add(reason + ": " + remedy)));
    return steps.isEmpty() ? List.of("Nothing to do.") : List.copyOf(steps);
  }

  private static Optional<OwnershipConflict> conflict(RolloutObject object) {
    var workspace = object.workspace() == null ? "" : object.workspace();
    return object.conditions().stream()
        .filter(Explanation::speaksOfNow)
        .flatMap(it -> OwnershipConflict.in(it.message(), workspace).stream())
        .findFirst();
  }

  /** Reasons that speak of now, the most telling first: what failed, then how it goes on. */
  private static LinkedHashSet<String> reasons(RolloutObject object) {
    var reasons = new LinkedHashSet<String>();
    if (object.suspended()) {
      reasons.add(RolloutReasons.SUSPENDED);
    }
    object.conditions().stream()
        .sorted(Comparator.comparingInt(Explanation::urgency))
        .filter(Explanation::speaksOfNow)
        .map(Condition::reason)
        .forEach(reasons::add);
    return reasons;
  }

  private static int urgency(Condition condition) {
    return condition.type().startsWith("ClusterError/") ? -1 : rank(condition.type());
  }

  /** A condition that ended, such as an error that was cured, needs no remedy. */
  private static boolean speaksOfNow(Condition condition) {
    var isTrue = condition.status() == ConditionStatus.TRUE;
    return switch (condition.type()) {
      case "Ready" -> !isTrue;
      case "Reconciling" -> true;
      case "Stalled" -> isTrue;
      case RolloutConditions.DRIFT_CHECKED -> !isTrue;
      default -> isTrue != saysThatAllIsWell(condition.type());
    };
  }

  private static boolean saysThatAllIsWell(String type) {
    return type.startsWith(TenantConditions.CLUSTER_READY)
        || type.startsWith(TenantConditions.CLUSTER_DRIFT_CHECKED);
  }

  private static String inPlace(String remedy, RolloutObject object) {
    var workspace = object.workspace();
    return workspace == null ? remedy : remedy.replace("WORKSPACE", workspace);
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
