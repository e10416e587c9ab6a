// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.release.MessageText.Headline;
import io.krypton.operator.release.RevisionSource.Assignment;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.reconcile.OwnerWriter;
import io.krypton.operator.release.reconcile.OwnerWriter.Memory;
import io.krypton.operator.release.reconcile.OwnerWriter.WriteResult;
import io.krypton.operator.release.reconcile.ReconcileRequest;
import io.krypton.operator.release.reconcile.RolloutConditions.Rules;
import io.krypton.operator.release.reconcile.StepProgress;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Writes status, annotations and events of one deployment during one run, each only if it is new.
 */
final class DeploymentStatusWriter {
  private final DeploymentSettings settings;
  private final Clock clock;
  private final OwnerWriter<KryptonDeployment> owner;
  private final StepProgress<DeploymentState> progress;
  private @Nullable KubeconfigRef kubeconfigRef;
  private List<KubeconfigRef> staleTargets;
  private @Nullable Assignment assignment;

  /**
   * For one run.
   *
   * @param afterDelay as {@link StepProgress} needs it
   */
  DeploymentStatusWriter(
      KryptonDeployment deployment,
      HomeDeployments homeDeployments,
      DeploymentSettings settings,
      Clock clock,
      Memory<KryptonDeployment> memory,
      Executor afterDelay) {
    this.settings = settings;
    this.clock = clock;
    this.owner =
        new OwnerWriter<>(
            deployment,
            new OwnerWriter.Access<>(
                homeDeployments.client(), homeDeployments.statuses(), homeDeployments.events()),
            memory,
            holder(deployment),
            DeploymentStatusWriter::handledInStatus);
    this.progress = new StepProgress<>(afterDelay, this::write);
    this.kubeconfigRef = settings.routing().currentTarget(deployment).orElse(null);
    this.staleTargets = settings.routing().staleTargets(deployment);
  }

  OwnerWriter<KryptonDeployment> owner() {
    return owner;
  }

  KryptonDeployment deployment() {
    return owner.object();
  }

  String region() {
    return deployment().getSpec().region().name();
  }

  /** The namespace on the cluster of the region. */
  String workspace() {
    return deployment().getMetadata().getName();
  }

  /** Names the object among those that refer to Secrets. */
  String holder() {
    return holder(deployment());
  }

  private static String holder(KryptonDeployment deployment) {
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
    return deployment().getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether no status of ours was ever written. */
  boolean isNew() {
    return deployment().getStatus().workspace() == null
        && owner.annotation(Annotations.TARGETS) == null;
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

  /** What this run rolls out; each status from now on says where that leads. */
  void assign(Assignment assigned) {
    assignment = assigned;
  }

  /** Nothing is left there. */
  void removeTarget(KubeconfigRef gone) {
    if (gone.equals(kubeconfigRef)) {
      kubeconfigRef = null;
    }
    staleTargets = staleTargets.stream().filter(it -> !it.equals(gone)).toList();
  }

  /** Steps of this run, and what follows them. */
  StepProgress<DeploymentState> progress() {
    return progress;
  }

  /** Writes the status if it differs, and emits events for what changed with it. */
  void write(DeploymentState state) {
    progress.write(state);
  }

  private void write(List<DeploymentState> states) {
    var state = states.getLast();
    var before = deployment().getStatus();
    var now = clock.instant();
    var result = owner.write(live -> next(live, states, now));
    if (result == WriteResult.WRITTEN) {
      emitChanges(before, states.subList(0, states.size() - 1));
    }
    if (result != WriteResult.NOT_WRITTEN) {
      if (state.isFinal()) {
        owner.markHandled(helmRan(state));
      }
      rememberPrunedTargets();
    }
  }

  /**
   * Emits events for what changed, one state after the other.
   *
   * @param unwritten the states between what was stored before and what is stored now
   */
  private void emitChanges(KryptonDeploymentStatus before, List<DeploymentState> unwritten) {
    var known = before.conditions();
    for (var count = 1; count <= unwritten.size(); count++) {
      var next =
          DeploymentConditionBuilder.of(region(), before, unwritten.subList(0, count), rules())
              .conditions();
      DeploymentEvents.ofChange(known, next, region()).forEach(owner::emit);
      known = next;
    }
    DeploymentEvents.ofChange(known, deployment().getStatus().conditions(), region())
        .forEach(owner::emit);
  }

  private Rules rules() {
    return new Rules(settings.allowChartSkip(), owner.request().resetsFailures());
  }

  private static ReconcileRequest.Handled handledInStatus(KryptonDeployment deployment) {
    var status = deployment.getStatus();
    return new ReconcileRequest.Handled(
        status.observedGeneration(), status.lastHandledReconcileAt(), status.lastHandledForceAt());
  }

  /** An older definition prunes targets from the status; an annotation survives this process. */
  private void rememberPrunedTargets() {
    var routing = settings.routing();
    var status = deployment().getStatus();
    var isInStatus =
        Objects.equals(
                status.target(), kubeconfigRef == null ? null : routing.format(kubeconfigRef))
            && status.staleTargets().equals(staleTargets.stream().map(routing::format).toList());
    owner.annotate(
        Annotations.TARGETS, isInStatus ? null : routing.formatAll(kubeconfigRef, staleTargets));
  }

  private KryptonDeployment next(
      KryptonDeployment live, List<DeploymentState> states, Instant now) {
    var state = states.getLast();
    var before = live.getStatus();
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var request = owner.request();
    var result = DeploymentConditionBuilder.of(region(), before, states, rules());
    var done = state.isFinal();
    var conditions =
        owner.withInspection(result.conditions(), RolloutConditionTypes.DRIFT_CHECKED).stream()
            .map(
                it ->
                    done || isChanged(it, before.conditions())
                        ? ConditionList.withTransitionTime(
                            it.observedAt(generation), before.conditions(), now)
                        : ConditionList.find(before.conditions(), it.type()).orElse(it))
            .toList();
    var release = state.settledResult().flatMap(RolloutResult::deployedRelease).orElse(null);
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
            releases(before, release, state),
            done ? request.requestedAt() : before.lastHandledReconcileAt(),
            helmRan(state) ? request.forceAt() : before.lastHandledForceAt(),
            kubeconfigRef == null ? null : regionRouting.format(kubeconfigRef),
            staleTargets.stream().map(regionRouting::format).toList(),
            conditions));
    return fresh;
  }

  /** What an intermediate state repeats was said for an earlier generation, and stays so. */
  private static boolean isChanged(Condition condition, List<Condition> before) {
    return ConditionList.find(before, condition.type())
        .filter(
            known ->
                known.status() == condition.status()
                    && known.reason().equals(condition.reason())
                    && known.message().equals(condition.message()))
        .isEmpty();
  }

  /** A forced run is still due as long as Helm has not run. */
  private static boolean helmRan(DeploymentState state) {
    return state.settledResult().filter(RolloutResult::helmRan).isPresent();
  }

  /** One for each cluster that it is, or still may be, on. */
  private List<Release> releases(
      KryptonDeploymentStatus before, @Nullable DeployedRelease deployed, DeploymentState state) {
    var releases = new ArrayList<Release>();
    var current = kubeconfigRef == null ? "" : clusterOf(kubeconfigRef);
    for (var known : before.releases()) {
      var isCurrent = known.cluster().equals(current);
      var isStale = staleTargets.stream().anyMatch(it -> clusterOf(it).equals(known.cluster()));
      if (isCurrent ? deployed == null : isStale) {
        releases.add(isCurrent ? assigned(known, state) : known);
      }
    }
    if (deployed != null && kubeconfigRef != null) {
      releases.add(assigned(deployed.toStatus(current), state));
    }
    return releases;
  }

  private Release assigned(Release release, DeploymentState state) {
    return assignment == null ? release : assignment.inStatus(release, state.settledResult());
  }

  private String clusterOf(KubeconfigRef of) {
    return settings.routing().clusterOf(of).value();
  }

  /** Records what was rolled out on the object itself, where it survives the operator. */
  void annotateFingerprint(KubeconfigRef where, DeployedRelease release) {
    owner.annotate(fingerprintOn(where), release.fingerprint().hex());
  }

  /** Nothing of it is on that cluster any more. */
  void removeFingerprint(KubeconfigRef where) {
    if (kubeconfigRef == null || !fingerprintOn(where).equals(fingerprintOn(kubeconfigRef))) {
      owner.annotate(fingerprintOn(where), null);
    }
  }

  /** The fingerprint of the last success on this cluster. */
  @Nullable String fingerprint(KubeconfigRef where) {
    return owner.annotation(fingerprintOn(where));
  }

  /** The revision that the status names for this cluster; zero if it names none. */
  int reportedRevision(KubeconfigRef where) {
    return Release.revisionOn(clusterOf(where), deployment().getStatus().releases());
  }

  private static String fingerprintOn(KubeconfigRef where) {
    return Annotations.fingerprint(where.secret().name());
  }

  /** The reason that condition Ready gives at present. */
  String readyReason() {
    return ConditionList.find(deployment().getStatus().conditions(), RolloutConditionTypes.READY)
        .map(Condition::reason)
        .orElse("");
  }
}
