// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.Condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.event.EventReason.EventType;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.api.tenantclass.TenantClassStatus;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import io.krypton.api.tenantclass.TenantClassStatus.ClassSource;
import io.krypton.api.tenantclass.TenantClassStatus.Counts;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.classes.controller.RolloutCourse.Outcome;
import io.krypton.operator.classes.target.RolloutTarget;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes status and events of one class during one run, each only if it is new. */
final class ClassStatusWriter {
  private static final Logger log = LoggerFactory.getLogger(ClassStatusWriter.class);

  private final HomeClasses home;
  private final NewestObjects<TenantClass> newest;
  private final Clock clock;
  private TenantClass tenantClass;
  private @Nullable ClassUsers users;

  /** What is to be said of what the class asks for. */
  sealed interface Verdict {
    /** The chart is being loaded. */
    record Loading() implements Verdict {}

    record Refused(String reason, String message) implements Verdict {}

    record Accepted(RevisionReference revision) implements Verdict {}
  }

  ClassStatusWriter(
      HomeClasses home, TenantClass tenantClass, NewestObjects<TenantClass> newest, Clock clock) {
    this.home = home;
    this.tenantClass = tenantClass;
    this.newest = newest;
    this.clock = clock;
  }

  TenantClass tenantClass() {
    return tenantClass;
  }

  /** Goes on with the object as it is now. */
  void refresh(TenantClass live) {
    newest.seen(live);
    tenantClass = live;
  }

  /** It is being deleted, and cannot go yet. */
  void usedBy(ClassUsers stillThere) {
    users = stillThere;
  }

  /** Whether the status says it now. */
  boolean write(Verdict verdict, Outcome outcome, List<RolloutTarget> targets) {
    var before = tenantClass.getStatus();
    var result =
        home.writers().classes().write(tenantClass, live -> next(live, verdict, outcome, targets));
    return switch (result) {
      case StatusResult.Written<TenantClass>(var live) -> {
        refresh(live);
        emitChanges(before, live.getStatus());
        yield true;
      }
      case StatusResult.Unchanged<TenantClass>(var live) -> {
        refresh(live);
        yield true;
      }
      case StatusResult.Gone<TenantClass> gone -> false;
      case StatusResult.Conflict<TenantClass>(var tries) -> false;
      case StatusResult.Refused<TenantClass>(var code, var message) -> {
        log.atWarn()
            .addKeyValue("class", tenantClass.getMetadata().getName())
            .addKeyValue("code", code)
            .log("status of a class was refused: {}", message);
        yield false;
      }
    };
  }

  private TenantClass next(
      TenantClass live, Verdict verdict, Outcome outcome, List<RolloutTarget> targets) {
    var before = live.getStatus();
    // Not that of a later version that was read after a conflict: it was not judged.
    var generation = Objects.requireNonNullElse(tenantClass.getMetadata().getGeneration(), 0L);
    var stable = outcome.stable();
    var target = outcome.target();
    var taken = outcome.taken();
    var conditions =
        conditions(before.conditions(), verdict, outcome).stream()
            .map(
                it ->
                    ConditionList.withTransitionTime(
                        it.observedAt(generation), before.conditions(), clock.instant()))
            .toList();
    var fresh = new TenantClass();
    fresh.setSpec(null);
    fresh.setStatus(
        new TenantClassStatus(
            generation,
            ClassSource.OBJECT,
            stable,
            target,
            outcome.refused(),
            taken == null || !taken.isActive() ? null : taken.rollout().getMetadata().getName(),
            counts(targets, stable, target),
            conditions));
    return fresh;
  }

  private static Counts counts(
      List<RolloutTarget> targets,
      @Nullable RevisionReference stable,
      @Nullable RevisionReference target) {
    int onStable = 0;
    int onTarget = 0;
    int pinned = 0;
    int suspended = 0;
    int failed = 0;
    int unreachable = 0;
    for (var one : targets) {
      onStable += isOn(one, stable) ? 1 : 0;
      onTarget += isOn(one, target) ? 1 : 0;
      pinned += one.observed().choice().pin() != null ? 1 : 0;
      suspended += one.observed().suspended() ? 1 : 0;
      failed += one.observed().health().isError() ? 1 : 0;
      unreachable += one.reachable() ? 0 : 1;
    }
    return new Counts(targets.size(), onStable, onTarget, pinned, suspended, failed, unreachable);
  }

  private static boolean isOn(RolloutTarget target, @Nullable RevisionReference revision) {
    var installed = target.observed().installed();
    return revision != null
        && installed != null
        && installed.classRevision() != null
        && revision.hash().startsWith(installed.classRevision());
  }

  private List<Condition> conditions(
      List<Condition> before, Verdict verdict, Outcome outcome) {
    var ready =
        switch (verdict) {
          case Verdict.Loading loading ->
              ConditionList.find(before, RolloutConditionTypes.READY)
                  .orElseGet(
                      () ->
                          ready(UNKNOWN, RolloutReasons.PROGRESSING, "the chart is being loaded"));
          case Verdict.Refused(var reason, var message) -> ready(FALSE, reason, message);
          case Verdict.Accepted(var revision)
              when outcome.refused().contains(revision.hash()) ->
              ready(
                  FALSE,
                  ClassReasons.REVISION_REFUSED,
                  "revision %d with chart version %s was rolled back; change the class, or krypton rollout retry"
                      .formatted(revision.revision(), revision.version()));
          case Verdict.Accepted(var revision) ->
              ready(
                  TRUE,
                  ClassReasons.ACCEPTED,
                  "revision %d with chart version %s"
                      .formatted(revision.revision(), revision.version()));
        };
    var isFinal =
        verdict instanceof Verdict.Refused(var reason, var message) && !isTemporary(reason);
    var stalled =
        isFinal
            ? Condition.of(RolloutConditionTypes.STALLED, TRUE, ready.reason(), ready.message())
            : Condition.of(RolloutConditionTypes.STALLED, FALSE, RolloutReasons.NOT_STALLED, "");
    return List.of(ready, reconciling(verdict, isFinal, outcome), stalled);
  }

  private static Condition ready(Condition.ConditionStatus status, String reason, String message) {
    return Condition.of(RolloutConditionTypes.READY, status, reason, message);
  }

  private Condition reconciling(Verdict verdict, boolean isFinal, Outcome outcome) {
    var type = RolloutConditionTypes.RECONCILING;
    if (users != null) {
      return Condition.of(type, TRUE, ClassReasons.CLASS_IN_USE, users.message());
    }
    var taken = outcome.taken();
    if (taken != null && taken.isActive()) {
      return Condition.of(
          type, TRUE, ClassReasons.ROLLING_OUT, taken.rollout().getMetadata().getName());
    }
    return switch (verdict) {
      case Verdict.Loading loading ->
          Condition.of(type, TRUE, RolloutReasons.PROGRESSING, "the chart is being loaded");
      case Verdict.Refused refused ->
          isFinal
              ? Condition.of(type, FALSE, RolloutReasons.STALLED, "")
              : Condition.of(type, TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, "");
      case Verdict.Accepted accepted -> Condition.of(type, FALSE, RolloutReasons.IDLE, "");
    };
  }

  private static boolean isTemporary(String reason) {
    return reason.equals(ClassReasons.CHART_UNAVAILABLE)
        || reason.equals(RolloutReasons.VALUES_NOT_FOUND);
  }

  private void emitChanges(TenantClassStatus before, TenantClassStatus after) {
    if (before.source() != ClassSource.OBJECT
        && ClassRules.DEFAULT_CLASS.equals(tenantClass.getMetadata().getName())) {
      var message = "the object default says what is rolled out; chart flags no longer count";
      log.atInfo().log(message);
      emit(EventReason.CLASS_OVERRIDES_FLAGS, message);
    }
    emitIfNew(before, after, RolloutConditionTypes.READY);
    emitIfNew(before, after, RolloutConditionTypes.RECONCILING);
  }

  private void emitIfNew(TenantClassStatus before, TenantClassStatus after, String type) {
    var known = ConditionList.find(before.conditions(), type);
    ConditionList.find(after.conditions(), type)
        .filter(now -> known.filter(it -> it.reason().equals(now.reason())).isEmpty())
        .ifPresent(
            now ->
                EventReason.of(now.reason())
                    .filter(reason -> reason.subjects().contains(EventReason.Subject.TENANT_CLASS))
                    .ifPresent(reason -> emit(reason, now.message())));
  }

  void emit(EventReason reason, String message) {
    home.events()
        .record(
            reason.type() == EventType.WARNING
                ? EventMessage.warning(tenantClass, reason.value(), message)
                : EventMessage.normal(tenantClass, reason.value(), message));
  }
}
