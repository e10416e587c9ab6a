package io.krypton.operator.tenant;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.api.tenant.TenantStatus;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.release.MessageText.Headline;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.reconcile.HandledRequests;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.release.reconcile.ReconcileRequest;
import io.krypton.operator.tenant.TenantConditionSummary.TenantPhase;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is written about one Tenant during one run: status, annotation and events, each only if it
 * is new.
 */
final class TenantStatusWriter {
  private static final int MAX_ANNOTATION_ATTEMPTS = 3;

  private final TenantCluster cluster;
  private final TenantSettings settings;
  private final ReconcileRequest request;
  private final Clock clock;
  private final HandledRequests handledRequests;
  private Tenant tenant;

  /** Null as long as this run has not inspected the release. */
  private @Nullable List<UncheckedObject> unchecked;

  TenantStatusWriter(
      Tenant tenant,
      TenantCluster cluster,
      TenantSettings settings,
      Clock clock,
      HandledRequests settled) {
    this.tenant = tenant;
    this.cluster = cluster;
    this.settings = settings;
    this.handledRequests = settled;
    this.request =
        ReconcileRequest.of(
            tenant.getMetadata(),
            settled.handled(
                key(cluster.name(), tenant.getMetadata()),
                tenant.getMetadata().getUid(),
                handledInStatus()));
    this.clock = clock;
  }

  String cluster() {
    return cluster.name();
  }

  WorkKey key() {
    return new WorkKey(
        cluster.name(), tenant.getMetadata().getNamespace(), tenant.getMetadata().getName());
  }

  ReconcileRequest request() {
    return request;
  }

  /** What the status says next about the inspection. */
  void setUnchecked(List<UncheckedObject> objects) {
    unchecked = objects;
  }

  void emit(RolloutEventMessage rolloutEventMessage) {
    cluster
        .events()
        .record(
            rolloutEventMessage.warning()
                ? EventMessage.warning(
                    tenant, rolloutEventMessage.reason(), rolloutEventMessage.message())
                : EventMessage.normal(
                    tenant, rolloutEventMessage.reason(), rolloutEventMessage.message()));
  }

  /** Writes the status if it says something new, and announces what changed with it. */
  void write(TenantState state) {
    var before = tenant.getStatus();
    var now = clock.instant();
    switch (cluster.statuses().write(tenant, live -> next(live, state, now))) {
      case StatusResult.Written<Tenant>(var live) -> {
        tenant = live;
        emitChanges(before, live.getStatus());
        rememberPrunedFields(state);
      }
      case StatusResult.Unchanged<Tenant>(var live) -> {
        tenant = live;
        rememberPrunedFields(state);
      }
      case StatusResult.Gone<Tenant> gone -> {}
      case StatusResult.Conflict<Tenant>(var tries) ->
          emit(
              RolloutEventMessage.warning(
                  "StatusUpdateFailed", "changed by others %d times".formatted(tries)));
      case StatusResult.Refused<Tenant>(var code, var message) ->
          emit(
              RolloutEventMessage.warning(
                  "StatusUpdateFailed", "HTTP %d: %s".formatted(code, message)));
    }
  }

  /** How the memory of settled requests knows a Tenant. */
  static String key(String cluster, ObjectMeta tenant) {
    return key(cluster, tenant.getNamespace(), tenant.getName());
  }

  static String key(String cluster, String namespace, String name) {
    return cluster + "/" + namespace + "/" + name;
  }

  private ReconcileRequest.Handled handledInStatus() {
    var status = tenant.getStatus();
    return new ReconcileRequest.Handled(
        status.observedGeneration(), status.lastHandledReconcileAt(), status.lastHandledForceAt());
  }

  /** An older definition prunes what it does not know; this process remembers it. */
  private void rememberPrunedFields(TenantState state) {
    if (state instanceof TenantState.Settled) {
      handledRequests.markHandled(
          key(cluster.name(), tenant.getMetadata()),
          tenant.getMetadata().getUid(),
          new ReconcileRequest.Handled(
              tenant.getMetadata().getGeneration(),
              request.requestedAt(),
              helmRan(state) ? request.forceAt() : null),
          handledInStatus());
    }
  }

  private Tenant next(Tenant live, TenantState state, Instant now) {
    var before = live.getStatus();
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var rules =
        new TenantConditionBuilder.Rules(settings.allowChartSkip(), request.resetsFailures());
    var all = TenantConditionBuilder.conditions(cluster.name(), before.conditions(), state, rules);
    var conditions =
        withInspection(all).stream()
            .filter(this::isOurs)
            .map(condition -> stamped(condition, before.conditions(), generation, now))
            .toList();
    var settled = state instanceof TenantState.Settled;
    var release = releaseOf(state);
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
            helmRan(state) ? request.forceAt() : before.lastHandledForceAt(),
            conditions));
    return fresh;
  }

  private List<Condition> withInspection(List<Condition> conditions) {
    return unchecked == null
        ? conditions
        : UncheckedObject.withCondition(
            conditions, TenantConditionTypes.clusterDriftChecked(cluster.name()), unchecked);
  }

  /** A forced run is still owed as long as Helm has not run. */
  private static boolean helmRan(TenantState state) {
    return state instanceof TenantState.Settled(var rolloutResult, var failures)
        && rolloutResult.helmRan();
  }

  /** Conditions of other clusters are written by whoever looks after those. */
  private boolean isOurs(Condition condition) {
    var name = TenantConditionTypes.cluster(condition.type());
    return name.isEmpty() || name.equals(cluster.name());
  }

  /** A condition that says the same as before stays as it is, with its generation. */
  private static Condition stamped(
      Condition condition, List<Condition> before, long generation, Instant now) {
    return ConditionList.withTransitionTime(condition.observedAt(generation), before, now);
  }

  /** The revision that the status names for this cluster; zero if it names none. */
  int reportedRevision() {
    return Release.revisionOn(cluster.name(), tenant.getStatus().releases());
  }

  private List<Release> releases(
      TenantStatus before, @Nullable DeployedRelease release, TenantState state) {
    if (state instanceof TenantState.Skipped skipped && !skipped.leftover()) {
      return List.of();
    }
    if (release == null) {
      return before.releases().stream()
          .filter(known -> known.cluster().equals(cluster.name()))
          .toList();
    }
    return List.of(release.toStatus(cluster.name()));
  }

  private static @Nullable DeployedRelease releaseOf(TenantState state) {
    return state instanceof TenantState.Settled(var rolloutResult, var failures)
        ? rolloutResult.deployedRelease().orElse(null)
        : null;
  }

  private void emitChanges(TenantStatus before, TenantStatus after) {
    var errorType = TenantConditionTypes.clusterError(cluster.name());
    var error = ConditionList.find(after.conditions(), errorType);
    var known = ConditionList.find(before.conditions(), errorType);
    if (ConditionList.isTrue(after.conditions(), errorType)
        && (!ConditionList.isTrue(before.conditions(), errorType)
            || !textOf(known.orElseThrow()).equals(textOf(error.orElseThrow())))) {
      emit(TenantEvents.ofReason(error.orElseThrow().reason(), error.orElseThrow().message()));
    }
    UncheckedObject.eventOnChange(
            before.conditions(),
            after.conditions(),
            TenantConditionTypes.clusterDriftChecked(cluster.name()))
        .ifPresent(this::emit);
    if (skipped(before).isEmpty()) {
      skipped(after)
          .map(message -> "Cluster %s: %s".formatted(cluster.name(), message))
          .ifPresent(message -> emit(RolloutEventMessage.normal("ClusterRefSkipped", message)));
    }
    if (after.phase() != null && after.phase() != before.phase()) {
      emit(RolloutEventMessage.normal("PhaseSet", phaseName(after.phase())));
    }
    var wasSuspended = isSuspended(before);
    if (wasSuspended != isSuspended(after)) {
      emit(
          wasSuspended
              ? RolloutEventMessage.normal("Resumed", "reconciliation goes on")
              : RolloutEventMessage.normal(
                  "Suspended", "nothing is installed, upgraded or repaired"));
    }
  }

  private static String phaseName(RolloutPhase rolloutPhase) {
    return switch (rolloutPhase) {
      case PENDING -> "Pending";
      case READY -> "Ready";
      case ERROR -> "Error";
    };
  }

  private static boolean isSuspended(TenantStatus status) {
    return ConditionList.find(status.conditions(), RolloutConditionTypes.RECONCILING)
        .filter(condition -> condition.reason().equals(RolloutReasons.SUSPENDED))
        .isPresent();
  }

  private static List<String> textOf(Condition condition) {
    return List.of(condition.reason(), condition.message());
  }

  /** Keeps what was rolled out on the object itself, where it survives the operator. */
  void annotateFingerprint(DeployedRelease release) {
    var annotation = Annotations.fingerprint(cluster.name());
    var hex = release.fingerprint().hex();
    if (hex.equals(annotation(annotation))) {
      return;
    }
    for (var tries = 1; ; tries++) {
      try {
        OwnerPatches.annotate(cluster.target().client(), tenant, annotation, hex)
            .ifPresent(
                annotated -> {
                  refresh(annotated);
                  emit(RolloutEventMessage.normal("FingerprintUpdated", hex));
                });
        return;
      } catch (KubernetesClientException refused) {
        if (tries == MAX_ANNOTATION_ATTEMPTS) {
          // The label of the release says the same, so nothing is lost; the next run tries again.
          emit(
              RolloutEventMessage.warning(
                  "FingerprintUpdateFailed", ApiFailure.of(refused).message()));
          return;
        }
      }
    }
  }

  @Nullable String annotation(String name) {
    var annotations = tenant.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  /**
   * Whether the status tells already that the Tenant is on its way out, and perhaps why not yet.
   */
  boolean reportsDeletion() {
    return ConditionList.find(tenant.getStatus().conditions(), RolloutConditionTypes.READY)
        .filter(ready -> ready.reason().equals(RolloutReasons.DELETING))
        .isPresent();
  }

  /** What the status tells if another cluster is meant. */
  private Optional<String> skipped(TenantStatus status) {
    return status.conditions().stream()
        .filter(this::isOurs)
        .filter(condition -> condition.reason().equals(TenantReasons.CLUSTER_REF_MISMATCH))
        .map(Condition::message)
        .findFirst();
  }

  /** Whether the status tells how the Tenant is doing under this name of the server. */
  boolean hasConditionsOf(String name) {
    return tenant.getStatus().conditions().stream()
        .anyMatch(condition -> TenantConditionTypes.cluster(condition.type()).equals(name));
  }

  Tenant tenant() {
    return tenant;
  }

  /** Goes on with the Tenant as one of our own writes has left it. */
  void refresh(Tenant written) {
    tenant = written;
  }
}
