package io.krypton.operator.deployment;

import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Conditions;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.api.deployment.KryptonDeploymentStatus;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditions;
import io.krypton.multicluster.event.Announcement;
import io.krypton.multicluster.status.StatusResult;
import io.krypton.operator.rollout.Asked;
import io.krypton.operator.rollout.DeployedRelease;
import io.krypton.operator.rollout.Headline;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.SettledRequests;
import io.krypton.operator.rollout.UncheckedObject;
import io.krypton.operator.rollout.Words;
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
final class DeploymentRecord {
  private final Home home;
  private final DeploymentSettings settings;
  private final Asked asked;
  private final Clock clock;
  private final SettledRequests settled;
  private KryptonDeployment deployment;
  private @Nullable Target target;
  private List<Target> staleTargets;

  /** Null as long as this run has not inspected the release. */
  private @Nullable List<UncheckedObject> unchecked;

  DeploymentRecord(
      KryptonDeployment deployment,
      Home home,
      DeploymentSettings settings,
      Clock clock,
      SettledRequests settled) {
    this.deployment = deployment;
    this.home = home;
    this.settings = settings;
    this.clock = clock;
    this.settled = settled;
    this.asked =
        Asked.of(
            deployment.getMetadata(),
            settled.handled(holder(), deployment.getMetadata().getUid(), told()));
    this.target = settings.routing().present(deployment).orElse(null);
    this.staleTargets = settings.routing().stale(deployment);
  }

  KryptonDeployment deployment() {
    return deployment;
  }

  /** Goes on with the object as one of our own writes has left it. */
  void adopt(KryptonDeployment written) {
    deployment = written;
  }

  Asked asked() {
    return asked;
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
  @Nullable Target target() {
    return target;
  }

  List<Target> staleTargets() {
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
  void routeTo(Target next) {
    var stale = new LinkedHashSet<>(staleTargets);
    if (target != null) {
      stale.add(target);
    }
    stale.remove(next);
    target = next;
    staleTargets = List.copyOf(stale);
  }

  /** Nothing is left there. */
  void cleaned(Target gone) {
    if (gone.equals(target)) {
      target = null;
    }
    staleTargets = staleTargets.stream().filter(it -> !it.equals(gone)).toList();
  }

  /** What the status says next about the inspection. */
  void checked(List<UncheckedObject> objects) {
    unchecked = objects;
  }

  void announce(Words words) {
    home.events()
        .record(
            words.warning()
                ? Announcement.warning(deployment, words.reason(), words.message())
                : Announcement.normal(deployment, words.reason(), words.message()));
  }

  /** Writes the status if it says something new, and announces what changed with it. */
  void report(DeploymentState state) {
    var before = deployment.getStatus().conditions();
    var now = clock.instant();
    switch (home.statuses().write(deployment, live -> next(live, state, now))) {
      case StatusResult.Written<KryptonDeployment>(var live) -> {
        deployment = live;
        DeploymentEvents.ofChange(before, live.getStatus().conditions(), region())
            .forEach(this::announce);
        keepWhatTheStatusCannot(state);
      }
      case StatusResult.Unchanged<KryptonDeployment>(var live) -> {
        deployment = live;
        keepWhatTheStatusCannot(state);
      }
      case StatusResult.Gone<KryptonDeployment> gone -> {}
      case StatusResult.Conflict<KryptonDeployment>(var tries) ->
          announce(
              Words.warning("StatusUpdateFailed", "changed by others %d times".formatted(tries)));
      case StatusResult.Refused<KryptonDeployment>(var code, var message) ->
          announce(Words.warning("StatusUpdateFailed", "HTTP %d: %s".formatted(code, message)));
    }
  }

  private Asked.Handled told() {
    var status = deployment.getStatus();
    return new Asked.Handled(
        status.observedGeneration(), status.lastHandledReconcileAt(), status.lastHandledForceAt());
  }

  /**
   * An older definition prunes what it does not know. Requests that were handled are remembered by
   * this process; targets are kept on the object itself, as they must survive it.
   */
  private void keepWhatTheStatusCannot(DeploymentState state) {
    if (state.isFinal()) {
      settled.settle(
          holder(),
          deployment.getMetadata().getUid(),
          new Asked.Handled(
              deployment.getMetadata().getGeneration(),
              asked.requestedAt(),
              hasRunHelm(state) ? asked.forceAt() : null),
          told());
    }
    var routing = settings.routing();
    var status = deployment.getStatus();
    var isTold =
        Objects.equals(status.target(), target == null ? null : routing.shown(target))
            && status.staleTargets().equals(staleTargets.stream().map(routing::shown).toList());
    annotate(Annotations.TARGETS, isTold ? null : routing.kept(target, staleTargets));
  }

  private KryptonDeployment next(KryptonDeployment live, DeploymentState state, Instant now) {
    var before = live.getStatus();
    var generation = Objects.requireNonNullElse(live.getMetadata().getGeneration(), 0L);
    var rules = new DeploymentReport.Rules(settings.allowChartSkip(), asked.isFreshStart());
    var told = DeploymentReport.of(region(), before, state, rules);
    var done = state.isFinal();
    var conditions =
        withInspection(told.conditions()).stream()
            .map(
                it ->
                    done || isNews(it, before.conditions())
                        ? stamped(it, before, generation, now)
                        : Conditions.find(before.conditions(), it.type()).orElse(it))
            .toList();
    var release = releaseOf(state);
    var routing = settings.routing();
    var fresh = new KryptonDeployment();
    fresh.setSpec(null);
    fresh.setStatus(
        new KryptonDeploymentStatus(
            done || before.observedGeneration() == null ? generation : before.observedGeneration(),
            told.phase(),
            Headline.of(
                Conditions.find(conditions, RolloutConditions.READY)
                    .map(Condition::message)
                    .orElse(null)),
            release == null ? before.lastAppliedChart() : release.chart(),
            live.getMetadata().getName(),
            releases(before, release),
            done ? asked.requestedAt() : before.lastHandledReconcileAt(),
            hasRunHelm(state) ? asked.forceAt() : before.lastHandledForceAt(),
            target == null ? null : routing.shown(target),
            staleTargets.stream().map(routing::shown).toList(),
            conditions));
    return fresh;
  }

  private List<Condition> withInspection(List<Condition> conditions) {
    return unchecked == null
        ? conditions
        : UncheckedObject.reported(conditions, RolloutConditions.DRIFT_CHECKED, unchecked);
  }

  /** What an intermediate state repeats was said for an earlier generation, and stays so. */
  private static boolean isNews(Condition told, List<Condition> before) {
    return Conditions.find(before, told.type())
        .filter(
            known ->
                known.status() == told.status()
                    && known.reason().equals(told.reason())
                    && known.message().equals(told.message()))
        .isEmpty();
  }

  private static Condition stamped(
      Condition told, KryptonDeploymentStatus before, long generation, Instant now) {
    return Conditions.stamped(told.observedAt(generation), before.conditions(), now);
  }

  /** A forced run is still owed as long as Helm has not run. */
  private static boolean hasRunHelm(DeploymentState state) {
    return state instanceof DeploymentState.Settled(var situation, var failures)
        && situation.hasRunHelm();
  }

  /** One for each cluster that it is, or still may be, on. */
  private List<Release> releases(
      KryptonDeploymentStatus before, @Nullable DeployedRelease deployed) {
    var releases = new ArrayList<Release>();
    var current = target == null ? "" : clusterOf(target);
    for (var known : before.releases()) {
      var isCurrent = known.cluster().equals(current);
      var isStale = staleTargets.stream().anyMatch(it -> clusterOf(it).equals(known.cluster()));
      if (isCurrent ? deployed == null : isStale) {
        releases.add(known);
      }
    }
    if (deployed != null && target != null) {
      releases.add(deployed.on(current));
    }
    return releases;
  }

  private String clusterOf(Target of) {
    return settings.routing().clusterOf(of).value();
  }

  private static @Nullable DeployedRelease releaseOf(DeploymentState state) {
    return state instanceof DeploymentState.Settled(var situation, var failures)
        ? situation.standing().orElse(null)
        : null;
  }

  /** Keeps what was rolled out on the object itself, where it survives the operator. */
  void remember(Target where, DeployedRelease release) {
    annotate(fingerprintOn(where), release.fingerprint().hex());
  }

  /** Nothing of it is on that cluster any more. */
  void forget(Target where) {
    if (target == null || !fingerprintOn(where).equals(fingerprintOn(target))) {
      annotate(fingerprintOn(where), null);
    }
  }

  /** The fingerprint of the last success on this cluster. */
  @Nullable String remembered(Target where) {
    return annotation(fingerprintOn(where));
  }

  /** The revision that the status names for this cluster; zero if it names none. */
  int reportedRevision(Target where) {
    return Release.revisionOn(clusterOf(where), deployment.getStatus().releases());
  }

  private static String fingerprintOn(Target where) {
    return Annotations.fingerprint(where.secret().name());
  }

  void annotate(String name, @Nullable String value) {
    if (!Objects.equals(annotation(name), value)) {
      OwnerPatches.annotate(home.client(), deployment, name, value).ifPresent(this::adopt);
    }
  }

  @Nullable String annotation(String name) {
    var annotations = deployment.getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(name);
  }

  /** The reason that condition Ready gives at present. */
  String reason() {
    return Conditions.find(deployment.getStatus().conditions(), RolloutConditions.READY)
        .map(Condition::reason)
        .orElse("");
  }
}
