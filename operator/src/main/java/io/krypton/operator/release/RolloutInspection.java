// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.HelmActions.Task;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseHistory.ReleaseOwner;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one run checks about a release and its objects, and what it reports about them. */
final class RolloutInspection {
  private static final Logger log = LoggerFactory.getLogger(RolloutInspection.class);
  private static final Duration READY_DELAY = Duration.ofMillis(300);

  private final Task task;
  private final OwnerLookup owners;
  private final ReleaseInspector inspector;
  private final DriftRepairLimiter driftRepairs;
  private final ObservationTimes pending;
  private final LockPolicy locks;
  private final RolloutMetricsListener metrics;
  private final RolloutSettings settings;

  RolloutInspection(Rollout.Engine engine, Task task) {
    this.task = task;
    this.owners = engine.owners();
    this.inspector = engine.inspector();
    this.driftRepairs = engine.driftRepairs();
    this.pending = engine.pending();
    this.locks = engine.locks();
    this.metrics = engine.metrics();
    this.settings = engine.settings();
  }

  /** Why nothing may be done: the release belongs to another object, which exists. */
  Optional<RolloutResult> ownerConflict(ReleaseHistory history) {
    var desired = task.desired();
    var cluster = task.target().name();
    var ours = new ReleaseOwner(desired.owner().uid(), desired.release());
    return history
        .latest()
        .filter(it -> !ours.owns(desired.release().value(), it, uid -> owners.exists(cluster, uid)))
        .map(
            it ->
                new Failed(
                    FailureReason.NAMESPACE_CONFLICT,
                    "release %s in namespace %s on %s belongs to another object, with UID %s; delete that object or choose another workspace"
                        .formatted(
                            desired.release(), desired.workspace(), cluster, it.ownerUid())));
  }

  /**
   * A revision that somebody else made is drift of the release itself. It will be replaced, so that
   * its objects need not be compared with it.
   */
  InspectionResult inspect(DeployedRelease release, Revision latest) throws IOException {
    if (!latest.isForeign(task.desired().last().revision())) {
      return inspector.inspect(task.target(), release, scope());
    }
    var shown =
        "Release/%s/%s (revision %d is not of this operator)"
            .formatted(release.namespace(), release.name(), release.revision());
    return settings.drift() == DriftMode.REPAIR
        ? InspectionResult.NONE.withChanged(shown)
        : inspector.inspect(task.target(), release, scope()).withChanged(shown);
  }

  /**
   * As the other one, right after a Helm run: the workloads of many charts are ready at once, and
   * what is said until then is of use for nobody. Whatever takes longer is reported as it is.
   */
  InspectionResult inspectNew(DeployedRelease release, Revision latest)
      throws IOException, InterruptedException {
    try (var changes = inspector.changes(task.target(), release)) {
      return untilReady(changes, READY_DELAY, () -> inspect(release, latest));
    }
  }

  /** One inspection. */
  interface Inspection {
    InspectionResult run() throws IOException;
  }

  /** Inspects again after each change, until there is nothing to wait for or the time is up. */
  static InspectionResult untilReady(
      ReleaseChanges.Waiter changes, Duration limit, Inspection inspection)
      throws IOException, InterruptedException {
    var found = inspection.run();
    while (isOnItsWay(found) && changes.await(limit)) {
      found = inspection.run();
    }
    return found;
  }

  private static boolean isOnItsWay(InspectionResult found) {
    return found.failed().isEmpty()
        && !found.hasDrift()
        && !(found.complete() && found.pending().isEmpty());
  }

  /** Helm has told what it stored. */
  void stored(DeployedRelease release, AppliedRelease applied) {
    if (applied.revision() == release.revision()) {
      inspector.stored(task.target(), release, applied.manifest());
    }
  }

  private ReleaseInspector.Scope scope() {
    return switch (settings.drift()) {
      case IGNORE -> ReleaseInspector.Scope.READINESS;
      case WARN -> ReleaseInspector.Scope.DRIFT;
      case REPAIR -> ReleaseInspector.Scope.DRIFT_REPAIR;
    };
  }

  /**
   * Removes edits that would make an upgrade fail. Without drift detection nobody watches for them,
   * so that they are searched for only after a failed upgrade.
   */
  void reclaimFields(DeployedRelease deployed) {
    if (settings.drift() == DriftMode.IGNORE && task.desired().request().failures() == 0) {
      return;
    }
    try {
      var _ = inspector.inspect(task.target(), deployed, ReleaseInspector.Scope.DRIFT_REPAIR);
    } catch (IOException unreadable) {
      log.atDebug().setCause(unreadable).log("upgrading a release that cannot be inspected");
    }
  }

  /**
   * Why the release must not be upgraded. Helm checks the owner of an object when it adopts it, but
   * not again at an upgrade: that would take from another release what is in both, and delete what
   * is in the old one alone.
   */
  Optional<RolloutResult> sharedObjects(DeployedRelease release) {
    try {
      var others = inspector.ownedByOthers(task.target(), release);
      return others.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Failed(
                  FailureReason.INSTALL_FAILED,
                  "%s holds objects of others: %s; delete one of the releases or rename the objects"
                      .formatted(release.name(), MessageText.list(others))));
    } catch (IOException unreadable) {
      return Optional.of(failed(release, unreadable));
    }
  }

  static RolloutResult failed(DeployedRelease release, IOException unreadable) {
    return new RolloutResult.InspectionFailed(release, String.valueOf(unreadable.getMessage()));
  }

  /** Reports each foreign Helm run once. */
  void reportForeignLock(ReleaseHistory history, String key) {
    history
        .latest()
        .filter(it -> it.status().isPending() && it.instance() == null)
        .filter(it -> pending.markReported(key))
        .ifPresent(
            it ->
                task.listener()
                    .onEvent(
                        new RolloutEvent.ForeignRun(
                            task.desired().release(),
                            it.version(),
                            it.status(),
                            locks.foreignLockTimeout())));
  }

  /** Reports each drift once. */
  void reportDrift(InspectionResult found, String key) {
    var fresh = driftRepairs.newDrift(key, found.missing(), found.changed());
    if (!fresh.isEmpty()) {
      metrics.driftDetected(
          task.target().name(),
          fresh.stream().map(object -> object.substring(0, object.indexOf('/'))).toList());
      task.listener()
          .onEvent(
              new RolloutEvent.DriftFound(
                  found.missing(), found.changed(), settings.drift() == DriftMode.REPAIR));
    }
  }
}
