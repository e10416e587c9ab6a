// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.event.EventReason.EventType;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.rolloutapproval.RolloutApproval;
import io.krypton.api.rolloutapproval.RolloutApprovalStatus;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.classes.decide.RolloutDecision.RolloutNotice;
import io.krypton.operator.classes.decide.RolloutInput;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rollouts of one class on home: the latest one matters, the others are history. */
final class ClassRollouts {
  private static final Logger log = LoggerFactory.getLogger(ClassRollouts.class);
  private static final String UNKNOWN_WAVE = "UnknownWave";

  private final HomeClasses home;
  private final TenantClass tenantClass;
  private final String className;
  private final NewestObjects<ChartRollout> newest;

  /**
   * @param newest what this process has read and written of all rollouts
   */
  ClassRollouts(HomeClasses home, TenantClass tenantClass, NewestObjects<ChartRollout> newest) {
    this.home = home;
    this.tenantClass = tenantClass;
    this.className = tenantClass.getMetadata().getName();
    this.newest = newest;
  }

  /** Reads all of the class from the server, since caches may be behind what others wrote. */
  void read() {
    home.client()
        .resources(ChartRollout.class)
        .inNamespace(home.namespace())
        .withLabel(Labels.CLASS, className)
        .list()
        .getItems()
        .forEach(newest::seen);
  }

  /** All that are known, oldest first. */
  List<ChartRollout> all() {
    var byName = new TreeMap<String, ChartRollout>();
    newest.all().stream()
        .filter(it -> it.getSpec().className().equals(className))
        .forEach(it -> byName.put(it.getMetadata().getName(), it));
    for (var cached : home.rolloutsOf(className)) {
      byName.put(cached.getMetadata().getName(), newest.newest(cached));
    }
    return byName.values().stream()
        .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
        .sorted(Comparator.comparingInt(ClassRollouts::numberOf))
        .toList();
  }

  Optional<ChartRollout> latest() {
    var all = all();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  static boolean isActive(ChartRollout rollout) {
    var phase = rollout.getStatus().phase();
    return phase == null || !phase.isFinal();
  }

  private static int numberOf(ChartRollout rollout) {
    var name = rollout.getMetadata().getName();
    try {
      return Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }

  /** Makes the next one; it has no status yet, so nothing follows from it. */
  ChartRollout create(@Nullable RevisionReference from, RevisionReference to) {
    var last = latest().map(ClassRollouts::numberOf).orElse(0);
    var rollout = new ChartRollout();
    var metadata = rollout.getMetadata();
    metadata.setNamespace(home.namespace());
    metadata.setName(className + "-" + Math.max(to.revision(), last + 1));
    metadata.setLabels(Map.of(Labels.CLASS, className));
    metadata.setOwnerReferences(
        List.of(
            new OwnerReferenceBuilder()
                .withApiVersion(tenantClass.getApiVersion())
                .withKind(tenantClass.getKind())
                .withName(className)
                .withUid(tenantClass.getMetadata().getUid())
                .withController(true)
                .build()));
    rollout.setSpec(
        ChartRolloutSpec.of(
            className, from, to, tenantClass.getSpec().policy(), Run.RUNNING));
    rollout.setStatus(null);
    var created = home.client().resource(rollout).create();
    newest.seen(created);
    log.atInfo()
        .addKeyValue("class", className)
        .addKeyValue("rollout", created.getMetadata().getName())
        .addKeyValue("version", to.version())
        .log("a change of a class is rolled out");
    return created;
  }

  /** What a decision about it needs to know. */
  RolloutInput input(ChartRollout rollout, @Nullable String wanted) {
    var name = rollout.getMetadata().getName();
    var annotations = rollout.getMetadata().getAnnotations();
    return new RolloutInput(
        name,
        rollout.getSpec(),
        rollout.getStatus(),
        wanted,
        home.approvalsOf(name).stream()
            .map(RolloutApproval::getSpec)
            .map(it -> it.wave())
            .collect(Collectors.toSet()),
        annotations == null ? null : annotations.get(Annotations.RETRY_AT));
  }

  /**
   * Writes a status against the very version that it was decided by.
   *
   * @return the rollout as it is now; empty if it is another one now, or gone
   */
  Optional<ChartRollout> write(ChartRollout rollout, ChartRolloutStatus status) {
    var generation = rollout.getMetadata().getGeneration();
    var version = rollout.getMetadata().getResourceVersion();
    var isOutdated = new AtomicBoolean();
    UnaryOperator<ChartRollout> next =
        live -> {
          isOutdated.set(!Objects.equals(live.getMetadata().getResourceVersion(), version));
          var fresh = new ChartRollout();
          fresh.setSpec(null);
          fresh.setStatus(isOutdated.get() ? live.getStatus() : status.observedAt(generation));
          return fresh;
        };
    return switch (home.writers().rollouts().write(rollout, next::apply)) {
      case StatusResult.Written<ChartRollout>(var live) -> seen(live, isOutdated.get());
      case StatusResult.Unchanged<ChartRollout>(var live) -> seen(live, isOutdated.get());
      case StatusResult.Gone<ChartRollout> gone -> {
        newest.forget(rollout.getMetadata().getName());
        yield Optional.empty();
      }
      case StatusResult.Conflict<ChartRollout>(var tries) -> Optional.empty();
      case StatusResult.Refused<ChartRollout>(var code, var message) -> {
        log.atWarn()
            .addKeyValue("rollout", rollout.getMetadata().getName())
            .addKeyValue("code", code)
            .log("status of a rollout was refused: {}", message);
        yield Optional.empty();
      }
    };
  }

  private Optional<ChartRollout> seen(ChartRollout live, boolean isAnother) {
    newest.seen(live);
    return isAnother ? Optional.empty() : Optional.of(live);
  }

  /** Finished ones beyond the limit, oldest first. */
  void deleteBeyond(int limit) {
    var all = all();
    var finished = all.stream().limit(Math.max(0, all.size() - 1L)).filter(it -> !isActive(it));
    finished
        .limit(Math.max(0, all.size() - 1 - limit))
        .forEach(
            it -> {
              home.client().resource(it).delete();
              newest.forget(it.getMetadata().getName());
            });
  }

  /** Tells it on the rollout, and on its class. */
  void emit(ChartRollout rollout, RolloutNotice notice) {
    emit(rollout, notice.reason(), notice.message());
    var name = rollout.getMetadata().getName();
    emit(tenantClass, notice.reason(), name + ": " + notice.message());
  }

  private void emit(HasMetadata regarding, EventReason reason, String message) {
    home.events()
        .record(
            reason.type() == EventType.WARNING
                ? EventMessage.warning(regarding, reason.value(), message)
                : EventMessage.normal(regarding, reason.value(), message));
  }

  /** Says of each approval of a rollout whether it counts, once. */
  void acceptApprovals(ChartRollout rollout, Instant now) {
    for (var approval : home.approvalsOf(rollout.getMetadata().getName())) {
      if (ConditionList.find(approval.getStatus().conditions(), RolloutApprovalStatus.ACCEPTED)
          .isEmpty()) {
        var _ = home.writers().approvals().write(approval, live -> accepted(live, rollout, now));
      }
    }
  }

  private static RolloutApproval accepted(
      RolloutApproval live, ChartRollout rollout, Instant now) {
    var wave = live.getSpec().wave();
    var isKnown =
        wave.equals(ClassRules.LAST_WAVE)
            || rollout.getSpec().waves().stream().anyMatch(it -> it.name().equals(wave));
    var condition =
        isKnown
            ? Condition.of(
                RolloutApprovalStatus.ACCEPTED,
                Condition.ConditionStatus.TRUE,
                RolloutApprovalStatus.ACCEPTED,
                "%s may go on after wave %s".formatted(rollout.getMetadata().getName(), wave))
            : Condition.of(
                RolloutApprovalStatus.ACCEPTED,
                Condition.ConditionStatus.FALSE,
                UNKNOWN_WAVE,
                "%s has no wave %s".formatted(rollout.getMetadata().getName(), wave));
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var fresh = new RolloutApproval();
    fresh.setSpec(null);
    fresh.setStatus(
        new RolloutApprovalStatus(
            generation, List.of(condition.observedAt(generation).since(now))));
    return fresh;
  }
}
