package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.multicluster.event.EventMessage;
import io.krypton.multicluster.status.StatusWriter.StatusResult;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.release.MessageText.Headline;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.reconcile.HandledRequests;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.release.reconcile.ReconcileRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is written about one deployment during one run: status, annotation and events, each only if
 * it is new.
 */
final class DeploymentStatusWriter {
  private final HomeDeployments homeDeployments;
  private final DeploymentSettings settings;
  private final ReconcileRequest request;
  private final Clock clock;
  private final HandledRequests handledRequests;
  private KryptonDeployment deployment;
  private @Nullable KubeconfigRef kubeconfigRef;
  private List<KubeconfigRef> staleTargets;

  /** Null as long as this run has not inspected the release. */
  private @Nullable List<UncheckedObject> unchecked;

  DeploymentStatusWriter(
      KryptonDeployment deployment,
      HomeDeployments homeDeployments,
      DeploymentSettings settings,
      Clock clock,
      HandledRequests settled) {
    this.deployment = deployment;
    this.homeDeployments = homeDeployments;
    this.settings = settings;
    this.clock = clock;
    this.handledRequests = settled;
    this.request =
        ReconcileRequest.of(
            deployment.getMetadata(),
            settled.handled(holder(), deployment.getMetadata().getUid(), handledInStatus()));
    this.kubeconfigRef = settings.routing().currentTarget(deployment).orElse(null);
    this.staleTargets = settings.routing().staleTargets(deployment);
  }

  KryptonDeployment deployment() {
    return deployment;
  }

  /** Goes on with the object as one of our own writes has left it. */
  void refresh(KryptonDeployment written) {
    deployment = written;
  }

  ReconcileRequest request() {
    return request;
  }

  String region() {
    return deployment.getSpec().region().name();
  }

  /** The namespace on the cluster of the region. */
  String workspace() {
    return deployment.getMetadata().getName();
  }

  /** Names the object among those that refer to Secrets. */
  String holder() {
    return deployment.getMetadata().getNamespace() + "/" + deployment.getMetadata().getName();
  }

  /** Where it is rolled out, or was last; null if it never was. */
  @Nullable KubeconfigRef target() {
    return kubeconfigRef;
  }

  List<KubeconfigRef> staleTargets() {
    return staleTargets;
  }

  boolean isBeingDeleted() {
    return deployment.getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether no status of ours was ever written. */
  boolean isNew() {
    return deployment.getStatus().workspace() == null && annotation(Annotations.TARGETS) == null;
  }

  /**
   * From now on it goes to this target; where it was before is not forgotten until that is clean.
   */
  void routeTo(KubeconfigRef next) {
    var stale = new LinkedHashSet<>(staleTargets);
    if (kubeconfigRef != null) {
      stale.add(kubeconfigRef);
    }
    stale.remove(next);
    kubeconfigRef = next;
    staleTargets = List.copyOf(stale);
  }

  /** Nothing is left there. */
  void removeTarget(KubeconfigRef gone) {
    if (gone.equals(kubeconfigRef)) {
      kubeconfigRef = null;
    }
    staleTargets = staleTargets.stream().filter(it -> !it.equals(gone)).toList();
  }

  /** What the status says next about the inspection. */
  void setUnchecked(List<UncheckedObject> objects) {
    unchecked = objects;
  }

  void emit(RolloutEventMessage rolloutEventMessage) {
    homeDeployments
        .events()
        .record(
            rolloutEventMessage.warning()
                ? EventMessage.warning(
                    deployment, rolloutEventMessage.reason(), rolloutEventMessage.message())
                : EventMessage.normal(
                    deployment, rolloutEventMessage.reason(), rolloutEventMessage.message()));
  }

  /** Writes the status if it says something new, and announces what changed with it. */
  void write(DeploymentState state) {
    var before = deployment.getStatus().conditions();
    var now = clock.instant();
    switch (homeDeployments.statuses().write(deployment, live -> next(live, state, now))) {
      case StatusResult.Written<KryptonDeployment>(var live) -> {
        deployment = live;
        DeploymentEvents.ofChange(before, live.getStatus().conditions(), region())
            .forEach(this::emit);
        rememberPrunedFields(state);
      }
      case StatusResult.Unchanged<KryptonDeployment>(var live) -> {
        deployment = live;
        rememberPrunedFields(state);
      }
      case StatusResult.Gone<KryptonDeployment> gone -> {}
      case StatusResult.Conflict<KryptonDeployment>(var tries) ->
          emit(
              RolloutEventMessage.warning(
                  "StatusUpdateFailed", "changed by others %d times".formatted(tries)));
      case StatusResult.Refused<KryptonDeployment>(var code, var message) ->
          emit(
              RolloutEventMessage.warning(
                  "StatusUpdateFailed", "HTTP %d: %s".formatted(code, message)));
    }
  }

  private ReconcileRequest.Handled handledInStatus() {
    var status = deployment.getStatus();
    return new ReconcileRequest.Handled(
        status.observedGeneration(), status.lastHandledReconcileAt(), status.lastHandledForceAt());
  }

  /**
   * An older definition prunes what it does not know. Requests that were handled are remembered by
   * this process; targets are kept on the object itself, as they must survive it.
   */
  private void rememberPrunedFields(DeploymentState state) {
    if (state.isFinal()) {
      handledRequests.markHandled(
          holder(),
          deployment.getMetadata().getUid(),
          new ReconcileRequest.Handled(
              deployment.getMetadata().getGeneration(),
              request.requestedAt(),
              helmRan(state) ? request.forceAt() : null),
          handledInStatus());
    }
    var regionRouting = settings.routing();
    var status = deployment.getStatus();
    var isTold =
        Objects.equals(
                status.target(), kubeconfigRef == null ? null : regionRouting.format(kubeconfigRef))
            && status
                .staleTargets()
                .equals(staleTargets.stream().map(regionRouting::format).toList());
    annotate(
        Annotations.TARGETS, isTold ? null : regionRouting.formatAll(kubeconfigRef, staleTargets));
  }

  private KryptonDeployment next(KryptonDeployment live, DeploymentState state, Instant now) {
    var before = live.getStatus();
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var rules =
        new DeploymentConditionBuilder.Rules(settings.allowChartSkip(), request.resetsFailures());
    var result = DeploymentConditionBuilder.of(region(), before, state, rules);
    var done = state.isFinal();
    var conditions =
        withInspection(result.conditions()).stream()
            .map(
                it ->
                    done || isChanged(it, before.conditions())
                        ? stamped(it, before, generation, now)
                        : ConditionList.find(before.conditions(), it.type()).orElse(it))
            .toList();
    var release = releaseOf(state);
    var regionRouting = settings.routing();
    var fresh = new KryptonDeployment();
    fresh.setSpec(null);
    fresh.setStatus(
        new KryptonDeploymentStatus(
            done || before.observedGeneration() == null ? generation : before.observedGeneration(),
            result.phase(),
            Headline.of(
                ConditionList.find(conditions, RolloutConditionTypes.READY)
                    .map(Condition::message)
                    .orElse(null)),
            release == null ? before.lastAppliedChart() : release.chart(),
            live.getMetadata().getName(),
            releases(before, release),
            done ? request.requestedAt() : before.lastHandledReconcileAt(),
            helmRan(state) ? request.forceAt() : before.lastHandledForceAt(),
            kubeconfigRef == null ? null : regionRouting.format(kubeconfigRef),
            staleTargets.stream().map(regionRouting::format).toList(),
            conditions));
    return fresh;
  }

  private List<Condition> withInspection(List<Condition> conditions) {
    return unchecked == null
        ? conditions
        : UncheckedObject.withCondition(conditions, RolloutConditionTypes.DRIFT_CHECKED, unchecked);
  }

  /** What an intermediate state repeats was said for an earlier generation, and stays so. */
  private static boolean isChanged(Condition told, List<Condition> before) {
    return ConditionList.find(before, told.type())
        .filter(
            known ->
                known.status() == told.status()
                    && known.reason().equals(told.reason())
                    && known.message().equals(told.message()))
        .isEmpty();
  }

  private static Condition stamped(
      Condition told, KryptonDeploymentStatus before, long generation, Instant now) {
    return ConditionList.withTransitionTime(told.observedAt(generation), before.conditions(), now);
  }

  /** A forced run is still owed as long as Helm has not run. */
  private static boolean helmRan(DeploymentState state) {
    return state instanceof DeploymentState.Settled(var rolloutResult, var failures)
        && rolloutResult.helmRan();
  }

  /** One for each cluster that it is, or still may be, on. */
  private List<Release> releases(
      KryptonDeploymentStatus before, @Nullable DeployedRelease deployed) {
    var releases = new ArrayList<Release>();
    var current = kubeconfigRef == null ? "" : clusterOf(kubeconfigRef);
    for (var known : before.releases()) {
      var isCurrent = known.cluster().equals(current);
      var isStale = staleTargets.stream().anyMatch(it -> clusterOf(it).equals(known.cluster()));
      if (isCurrent ? deployed == null : isStale) {
        releases.add(known);
      }
    }
    if (deployed != null && kubeconfigRef != null) {
      releases.add(deployed.toStatus(current));
    }
    return releases;
  }

  private String clusterOf(KubeconfigRef of) {
    return settings.routing().clusterOf(of).value();
  }

  private static @Nullable DeployedRelease releaseOf(DeploymentState state) {
    return state instanceof DeploymentState.Settled(var rolloutResult, var failures)
        ? rolloutResult.deployedRelease().orElse(null)
        : null;
  }

  /** Keeps what was rolled out on the object itself, where it survives the operator. */
  void annotateFingerprint(KubeconfigRef where, DeployedRelease release) {
    annotate(fingerprintOn(where), release.fingerprint().hex());
  }

  /** Nothing of it is on that cluster any more. */
  void removeFingerprint(KubeconfigRef where) {
    if (kubeconfigRef == null || !fingerprintOn(where).equals(fingerprintOn(kubeconfigRef))) {
      annotate(fingerprintOn(where), null);
    }
  }

  /** The fingerprint of the last success on this cluster. */
  @Nullable String fingerprint(KubeconfigRef where) {
    return annotation(fingerprintOn(where));
  }

  /** The revision that the status names for this cluster; zero if it names none. */
  int reportedRevision(KubeconfigRef where) {
    return Release.revisionOn(clusterOf(where), deployment.getStatus().releases());
  }

  private static String fingerprintOn(KubeconfigRef where) {
    return Annotations.fingerprint(where.secret().name());
  }

  void annotate(String name, @Nullable String value) {
    if (!Objects.equals(annotation(name), value)) {
      OwnerPatches.annotate(homeDeployments.client(), deployment, name, value)
          .ifPresent(this::refresh);
    }
  }

  @Nullable String annotation(String name) {
    var annotations = deployment.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  /** The reason that condition Ready gives at present. */
  String readyReason() {
    return ConditionList.find(deployment.getStatus().conditions(), RolloutConditionTypes.READY)
        .map(Condition::reason)
        .orElse("");
  }
}
