// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.api.tenant.TenantStatus;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.MessageText.Headline;
import io.krypton.operator.release.RevisionSource.Assignment;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.reconcile.OwnerQueue;
import io.krypton.operator.release.reconcile.OwnerWriter;
import io.krypton.operator.release.reconcile.OwnerWriter.Memory;
import io.krypton.operator.release.reconcile.OwnerWriter.WriteResult;
import io.krypton.operator.release.reconcile.ReconcileRequest;
import io.krypton.operator.release.reconcile.RolloutConditions;
import io.krypton.operator.release.reconcile.RolloutConditions.Rules;
import io.krypton.operator.release.reconcile.StepProgress;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState;
import io.krypton.operator.tenant.TenantConditionSummary.TenantPhase;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Writes status, annotations and events of one Tenant during one run, each only if it is new. */
final class TenantStatusWriter {
  private static final int MAX_ANNOTATION_ATTEMPTS = 3;

  private final TenantCluster cluster;
  private final TenantSettings settings;
  private final Clock clock;
  private final OwnerWriter<Tenant> owner;
  private final StepProgress<TenantState> progress;
  private @Nullable Assignment assignment;

  /**
   * For one run.
   *
   * @param afterDelay as {@link StepProgress} needs it
   */
  TenantStatusWriter(
      Tenant tenant,
      TenantCluster cluster,
      TenantSettings settings,
      Clock clock,
      Memory<Tenant> memory,
      Executor afterDelay) {
    this.cluster = cluster;
    this.settings = settings;
    this.clock = clock;
    this.owner =
        new OwnerWriter<>(
            tenant,
            new OwnerWriter.Access<>(
                cluster.target().client(), cluster.statuses(), cluster.events()),
            memory,
            OwnerQueue.key(cluster.name(), tenant).toString(),
            TenantStatusWriter::handledInStatus);
    this.progress = new StepProgress<>(afterDelay, this::write);
  }

  OwnerWriter<Tenant> owner() {
    return owner;
  }

  Tenant tenant() {
    return owner.object();
  }

  String cluster() {
    return cluster.name();
  }

  WorkKey key() {
    return OwnerQueue.key(cluster.name(), tenant());
  }

  /** What this run rolls out; each status from now on says where that leads. */
  void assign(Assignment assigned) {
    assignment = assigned;
  }

  /** Steps of this run, and what follows them. */
  StepProgress<TenantState> progress() {
    return progress;
  }

  /** Writes the status if it differs, and emits events for what changed with it. */
  void write(TenantState state) {
    progress.write(state);
  }

  private void write(List<TenantState> states) {
    var state = states.getLast();
    var before = tenant().getStatus();
    var now = clock.instant();
    var result = owner.write(live -> next(live, states, now));
    if (result == WriteResult.WRITTEN) {
      emitChanges(before, tenant().getStatus());
    }
    if (result != WriteResult.NOT_WRITTEN && state instanceof TenantState.Settled settled) {
      owner.markHandled(settled.result().helmRan());
    }
  }

  private static ReconcileRequest.Handled handledInStatus(Tenant tenant) {
    var status = tenant.getStatus();
    return new ReconcileRequest.Handled(
        status.observedGeneration(), status.lastHandledReconcileAt(), status.lastHandledForceAt());
  }

  private Tenant next(Tenant live, List<TenantState> states, Instant now) {
    var state = states.getLast();
    var before = live.getStatus();
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var request = owner.request();
    var rules = new Rules(settings.allowChartSkip(), request.resetsFailures());
    var all = before.conditions();
    for (var each : states) {
      all = TenantConditionBuilder.conditions(cluster.name(), all, each, rules);
    }
    var conditions =
        owner.withInspection(all, TenantConditionTypes.clusterDriftChecked(cluster.name())).stream()
            .filter(this::isOurs)
            .map(
                it ->
                    ConditionList.withTransitionTime(
                        it.observedAt(generation), before.conditions(), now))
            .toList();
    var result = state.settledResult();
    var settled = result.isPresent();
    var release = result.flatMap(RolloutResult::deployedRelease).orElse(null);
    var fresh = new Tenant();
    fresh.setSpec(null);
    fresh.setStatus(
        new TenantStatus(
            settled || before.observedGeneration() == null
                ? generation
                : before.observedGeneration(),
            TenantPhase.of(all, settings.allowChartSkip()),
            Headline.of(
                ConditionList.find(conditions, RolloutConditionTypes.READY)
                    .map(Condition::message)
                    .orElse(null)),
            release == null ? before.lastAppliedChart() : release.chart(),
            TenantCluster.workspaceOf(live),
            releases(before, release, state),
            settled ? request.requestedAt() : before.lastHandledReconcileAt(),
            result.filter(RolloutResult::helmRan).isPresent()
                ? request.forceAt()
                : before.lastHandledForceAt(),
            conditions));
    return fresh;
  }

  /** Conditions of other clusters are written by their own reconciles. */
  private boolean isOurs(Condition condition) {
    var name = TenantConditionTypes.cluster(condition.type());
    return name.isEmpty() || name.equals(cluster.name());
  }

  /** The revision that the status names for this cluster; zero if it names none. */
  int reportedRevision() {
    return Release.revisionOn(cluster.name(), tenant().getStatus().releases());
  }

  private List<Release> releases(
      TenantStatus before, @Nullable DeployedRelease release, TenantState state) {
    if (state instanceof TenantState.Skipped skipped && !skipped.leftover()) {
      return List.of();
    }
    var known =
        release == null
            ? before.releases().stream().filter(it -> it.cluster().equals(cluster.name())).toList()
            : List.of(release.toStatus(cluster.name()));
    return assignment == null
        ? known
        : known.stream().map(it -> assignment.inStatus(it, state.settledResult())).toList();
  }

  private void emitChanges(TenantStatus before, TenantStatus after) {
    var errorType = TenantConditionTypes.clusterError(cluster.name());
    var error = ConditionList.find(after.conditions(), errorType);
    var known = ConditionList.find(before.conditions(), errorType);
    if (ConditionList.isTrue(after.conditions(), errorType)
        && (!ConditionList.isTrue(before.conditions(), errorType)
            || !textOf(known.orElseThrow()).equals(textOf(error.orElseThrow())))) {
      TenantEvents.ofError(error.orElseThrow()).ifPresent(owner::emit);
    }
    UncheckedObject.eventOnChange(
            before.conditions(),
            after.conditions(),
            TenantConditionTypes.clusterDriftChecked(cluster.name()))
        .ifPresent(owner::emit);
    if (skipped(before).isEmpty()) {
      skipped(after)
          .map(message -> "Cluster %s: %s".formatted(cluster.name(), message))
          .ifPresent(
              message ->
                  owner.emit(new RolloutEventMessage(EventReason.CLUSTER_REF_SKIPPED, message)));
    }
    if (after.phase() != null && after.phase() != before.phase()) {
      owner.emit(new RolloutEventMessage(EventReason.PHASE_SET, phaseName(after.phase())));
    }
    RolloutConditions.refusal(before.conditions(), after.conditions()).ifPresent(owner::emit);
    RolloutConditions.suspendChange(before.conditions(), after.conditions()).ifPresent(owner::emit);
  }

  private static String phaseName(RolloutPhase rolloutPhase) {
    return switch (rolloutPhase) {
      case PENDING -> "Pending";
      case READY -> "Ready";
      case ERROR -> "Error";
    };
  }

  private static List<String> textOf(Condition condition) {
    return List.of(condition.reason(), condition.message());
  }

  /** Records what was rolled out on the object itself, where it survives the operator. */
  void annotateFingerprint(DeployedRelease release) {
    var annotation = Annotations.fingerprint(cluster.name());
    var hex = release.fingerprint().hex();
    for (var tries = 1; ; tries++) {
      try {
        if (owner.annotate(annotation, hex)) {
          owner.emit(new RolloutEventMessage(EventReason.FINGERPRINT_UPDATED, hex));
        }
        return;
      } catch (KubernetesClientException refused) {
        if (tries == MAX_ANNOTATION_ATTEMPTS) {
          // The label of the release says the same, so nothing is lost; the next run tries again.
          owner.emit(
              new RolloutEventMessage(
                  EventReason.FINGERPRINT_UPDATE_FAILED, ApiFailure.of(refused).message()));
          return;
        }
      }
    }
  }

  /**
   * Whether the status says already that the Tenant is being deleted, and perhaps what blocks it.
   */
  boolean reportsDeletion() {
    return ConditionList.find(tenant().getStatus().conditions(), RolloutConditionTypes.READY)
        .filter(ready -> ready.reason().equals(RolloutReasons.DELETING))
        .isPresent();
  }

  /** The message of the status if another cluster is meant. */
  private Optional<String> skipped(TenantStatus status) {
    return status.conditions().stream()
        .filter(this::isOurs)
        .filter(condition -> condition.reason().equals(TenantReasons.CLUSTER_REF_MISMATCH))
        .map(Condition::message)
        .findFirst();
  }

  /** Whether the status has conditions under this name of the server. */
  boolean hasConditionsOf(String name) {
    return tenant().getStatus().conditions().stream()
        .anyMatch(condition -> TenantConditionTypes.cluster(condition.type()).equals(name));
  }
}
