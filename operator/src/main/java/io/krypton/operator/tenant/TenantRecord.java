package io.krypton.operator.tenant;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Conditions;
import io.krypton.api.rollout.Phase;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditions;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditions;
import io.krypton.api.tenant.TenantReasons;
import io.krypton.api.tenant.TenantStatus;
import io.krypton.multicluster.event.Announcement;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.status.StatusResult;
import io.krypton.multicluster.watch.ApiFailure;
import io.krypton.operator.rollout.Asked;
import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.Headline;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.SettledRequests;
import io.krypton.operator.rollout.UncheckedObject;
import io.krypton.operator.rollout.Words;
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
final class TenantRecord {
  private static final int ANNOTATION_TRIES = 3;

  private final TenantCluster cluster;
  private final TenantSettings settings;
  private final Asked asked;
  private final Clock clock;
  private final SettledRequests settledRequests;
  private Tenant tenant;

  /** Null as long as this run has not inspected the release. */
  private @Nullable List<UncheckedObject> unchecked;

  TenantRecord(
      Tenant tenant,
      TenantCluster cluster,
      TenantSettings settings,
      Clock clock,
      SettledRequests settled) {
    this.tenant = tenant;
    this.cluster = cluster;
    this.settings = settings;
    this.settledRequests = settled;
    this.asked =
        Asked.of(
            tenant.getMetadata(),
            settled.handled(
                key(cluster.name(), tenant.getMetadata()), tenant.getMetadata().getUid(), told()));
    this.clock = clock;
  }

  String cluster() {
    return cluster.name();
  }

  WorkKey key() {
    return new WorkKey(
        cluster.name(), tenant.getMetadata().getNamespace(), tenant.getMetadata().getName());
  }

  Asked asked() {
    return asked;
  }

  /** What the status says next about the inspection. */
  void checked(List<UncheckedObject> objects) {
    unchecked = objects;
  }

  void announce(Words words) {
    cluster
        .events()
        .record(
            words.warning()
                ? Announcement.warning(tenant, words.reason(), words.message())
                : Announcement.normal(tenant, words.reason(), words.message()));
  }

  /** Writes the status if it says something new, and announces what changed with it. */
  void report(TenantState state) {
    var before = tenant.getStatus();
    var now = clock.instant();
    switch (cluster.statuses().write(tenant, live -> next(live, state, now))) {
      case StatusResult.Written<Tenant>(var live) -> {
        tenant = live;
        announceChange(before, live.getStatus());
        keepWhatTheStatusCannot(state);
      }
      case StatusResult.Unchanged<Tenant>(var live) -> {
        tenant = live;
        keepWhatTheStatusCannot(state);
      }
      case StatusResult.Gone<Tenant> gone -> {}
      case StatusResult.Conflict<Tenant>(var tries) ->
          announce(
              Words.warning("StatusUpdateFailed", "changed by others %d times".formatted(tries)));
      case StatusResult.Refused<Tenant>(var code, var message) ->
          announce(Words.warning("StatusUpdateFailed", "HTTP %d: %s".formatted(code, message)));
    }
  }

  /** How the memory of settled requests knows a Tenant. */
  static String key(String cluster, ObjectMeta tenant) {
    return key(cluster, tenant.getNamespace(), tenant.getName());
  }

  static String key(String cluster, String namespace, String name) {
    return cluster + "/" + namespace + "/" + name;
  }

  private Asked.Handled told() {
    var status = tenant.getStatus();
    return new Asked.Handled(
        status.observedGeneration(), status.lastHandledReconcileAt(), status.lastHandledForceAt());
  }

  /** An older definition prunes what it does not know; this process remembers it. */
  private void keepWhatTheStatusCannot(TenantState state) {
    if (state instanceof TenantState.Settled) {
      settledRequests.settle(
          key(cluster.name(), tenant.getMetadata()),
          tenant.getMetadata().getUid(),
          new Asked.Handled(
              tenant.getMetadata().getGeneration(),
              asked.requestedAt(),
              hasRunHelm(state) ? asked.forceAt() : null),
          told());
    }
  }

  private Tenant next(Tenant live, TenantState state, Instant now) {
    var before = live.getStatus();
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var rules = new TenantReport.Rules(settings.allowChartSkip(), asked.isFreshStart());
    var all = TenantReport.conditions(cluster.name(), before.conditions(), state, rules);
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
                Conditions.find(conditions, RolloutConditions.READY)
                    .map(Condition::message)
                    .orElse(null)),
            release == null ? before.lastAppliedChart() : release.chart(),
            TenantCluster.workspaceOf(live),
            releases(before, release, state),
            settled ? asked.requestedAt() : before.lastHandledReconcileAt(),
            hasRunHelm(state) ? asked.forceAt() : before.lastHandledForceAt(),
            conditions));
    return fresh;
  }

  private List<Condition> withInspection(List<Condition> conditions) {
    return unchecked == null
        ? conditions
        : UncheckedObject.reported(
            conditions, TenantConditions.clusterDriftChecked(cluster.name()), unchecked);
  }

  /** A forced run is still owed as long as Helm has not run. */
  private static boolean hasRunHelm(TenantState state) {
    return state instanceof TenantState.Settled(var situation, var failures)
        && situation.hasRunHelm();
  }

  /** Conditions of other clusters are written by whoever looks after those. */
  private boolean isOurs(Condition condition) {
    var name = TenantConditions.cluster(condition.type());
    return name.isEmpty() || name.equals(cluster.name());
  }

  /** A condition that says the same as before stays as it is, with its generation. */
  private static Condition stamped(
      Condition condition, List<Condition> before, long generation, Instant now) {
    return Conditions.stamped(condition.observedAt(generation), before, now);
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
    return List.of(release.on(cluster.name()));
  }

  private static @Nullable DeployedRelease releaseOf(TenantState state) {
    return state instanceof TenantState.Settled(var situation, var failures)
        ? situation.standing().orElse(null)
        : null;
  }

  private void announceChange(TenantStatus before, TenantStatus after) {
    var errorType = TenantConditions.clusterError(cluster.name());
    var error = Conditions.find(after.conditions(), errorType);
    var known = Conditions.find(before.conditions(), errorType);
    if (Conditions.isTrue(after.conditions(), errorType)
        && (!Conditions.isTrue(before.conditions(), errorType)
            || !said(known.orElseThrow()).equals(said(error.orElseThrow())))) {
      announce(TenantEvents.ofReason(error.orElseThrow().reason(), error.orElseThrow().message()));
    }
    UncheckedObject.news(
            before.conditions(),
            after.conditions(),
            TenantConditions.clusterDriftChecked(cluster.name()))
        .ifPresent(this::announce);
    if (skipped(before).isEmpty()) {
      skipped(after)
          .map(message -> "Cluster %s: %s".formatted(cluster.name(), message))
          .ifPresent(message -> announce(Words.normal("ClusterRefSkipped", message)));
    }
    if (after.phase() != null && after.phase() != before.phase()) {
      announce(Words.normal("PhaseSet", word(after.phase())));
    }
    var wasSuspended = isSuspended(before);
    if (wasSuspended != isSuspended(after)) {
      announce(
          wasSuspended
              ? Words.normal("Resumed", "reconciliation goes on")
              : Words.normal("Suspended", "nothing is installed, upgraded or repaired"));
    }
  }

  private static String word(Phase phase) {
    return switch (phase) {
      case PENDING -> "Pending";
      case READY -> "Ready";
      case ERROR -> "Error";
    };
  }

  private static boolean isSuspended(TenantStatus status) {
    return Conditions.find(status.conditions(), RolloutConditions.RECONCILING)
        .filter(condition -> condition.reason().equals(RolloutReasons.SUSPENDED))
        .isPresent();
  }

  private static List<String> said(Condition condition) {
    return List.of(condition.reason(), condition.message());
  }

  /** Keeps what was rolled out on the object itself, where it survives the operator. */
  void remember(DeployedRelease release) {
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
                  adopt(annotated);
                  announce(Words.normal("FingerprintUpdated", hex));
                });
        return;
      } catch (KubernetesClientException refused) {
        if (tries == ANNOTATION_TRIES) {
          // The label of the release says the same, so nothing is lost; the next run tries again.
          announce(Words.warning("FingerprintUpdateFailed", ApiFailure.of(refused).message()));
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
  boolean isSaidToBeDeleted() {
    return Conditions.find(tenant.getStatus().conditions(), RolloutConditions.READY)
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
  boolean tellsOf(String name) {
    return tenant.getStatus().conditions().stream()
        .anyMatch(condition -> TenantConditions.cluster(condition.type()).equals(name));
  }

  Tenant tenant() {
    return tenant;
  }

  /** Goes on with the Tenant as one of our own writes has left it. */
  void adopt(Tenant written) {
    tenant = written;
  }
}
