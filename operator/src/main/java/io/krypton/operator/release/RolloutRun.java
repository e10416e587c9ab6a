// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.api.Labels;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.HelmActions.HelmReservation;
import io.krypton.operator.release.HelmActions.StepResult;
import io.krypton.operator.release.HelmActions.StepResult.DecideAgain;
import io.krypton.operator.release.HelmActions.StepResult.Done;
import io.krypton.operator.release.HelmActions.StepResult.Ended;
import io.krypton.operator.release.HelmActions.Task;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.Rollout.DesiredRelease;
import io.krypton.operator.release.Rollout.Engine;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.ReleaseDecider;
import io.krypton.operator.release.decide.ReleaseDecider.DesiredState;
import io.krypton.operator.release.decide.ReleaseDecider.ObservedState;
import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One run for one release in a namespace that may be used: decide by the stored revisions, act, and
 * decide again until the release is up to date and was inspected, or something ends the run.
 */
final class RolloutRun {
  /** Confirm, unlock, uninstall, install, inspect: a run that needs more steps is in a loop. */
  private static final int MAX_STEPS = 6;

  private static final Duration RECHECK_DELAY = Duration.ofSeconds(5);

  private final Engine engine;
  private final DesiredRelease desired;
  private final TargetCluster target;
  private final RolloutListener listener;
  private final Task task;
  private final String version;
  private final HelmReservation reservation;
  private final RolloutInspection inspection;
  private final DesiredState desiredState;
  private final String key;
  private Change change = Change.NONE;
  private @Nullable NewRevision made;

  /**
   * The revision that the last Helm operation of this run has made.
   *
   * @param uidBefore of the one that the cache showed until then; numbers come again
   * @param applied what was stored, if Helm has told
   */
  record NewRevision(int number, @Nullable String uidBefore, @Nullable AppliedRelease applied) {
    /**
     * Whether a history out of a cache shows it. The server had none of this number when Helm
     * began, so it can be no other one.
     */
    boolean isIn(ReleaseHistory history) {
      return history
          .latest()
          .filter(it -> it.version() == number && it.isOurs())
          .filter(it -> it.status() == ReleaseStatus.DEPLOYED && !it.uid().equals(uidBefore))
          .isPresent();
    }
  }

  /**
   * @param version of the chart
   * @param key of the release in what runs share
   */
  RolloutRun(Engine engine, Task task, String version, HelmReservation reservation, String key) {
    this.engine = engine;
    this.task = task;
    this.desired = task.desired();
    this.target = task.target();
    this.listener = task.listener();
    this.version = version;
    this.reservation = reservation;
    this.key = key;
    this.inspection = new RolloutInspection(engine, task);
    this.desiredState =
        new DesiredState(
            revision().fingerprint(version, desired.content().values()),
            desired.request().forced(),
            desired.request().requested());
  }

  /**
   * @param inNewNamespace there is no release, whatever a stale cache says of the one before it
   */
  RolloutResult execute(boolean inNewNamespace) throws InterruptedException {
    var history = inNewNamespace ? ReleaseHistory.of(List.of()) : cachedHistory();
    var decision = decide(history, inNewNamespace);
    for (var step = 0; step < MAX_STEPS; step++) {
      var result = act(decision, history);
      if (result instanceof Ended(var end)) {
        return end;
      }
      var shown = result instanceof Done ? awaitNewRevision() : Optional.<ReleaseHistory>empty();
      history = shown.isPresent() ? shown.get() : liveHistory();
      decision = decide(history, shown.isEmpty());
    }
    return new Waiting(WaitReason.RELEASE_LOCKED, RECHECK_DELAY);
  }

  /** Empty if nothing was made, or the cache does not show it in time: then the server is asked. */
  private Optional<ReleaseHistory> awaitNewRevision() throws InterruptedException {
    return made == null
        ? Optional.empty()
        : target.awaitCachedHistory(desired.workspace(), desired.release(), made::isIn);
  }

  private ReleaseHistory cachedHistory() {
    return target.cachedHistory(desired.workspace(), desired.release());
  }

  private ReleaseHistory liveHistory() throws InterruptedException {
    return target.readHistory(desired.workspace(), desired.release());
  }

  private ReleaseDecision decide(ReleaseHistory history, boolean live) {
    return ReleaseDecider.whatNext(
        new ObservedState(
            history,
            live,
            desired.last().fingerprint(),
            desired.last().revision(),
            lockedSince(history),
            engine.actions().isRunning(task)),
        change == Change.NONE
            ? desiredState
            : new DesiredState(desiredState.fingerprint(), false, false),
        engine.locks(),
        engine.clock().instant());
  }

  private Instant lockedSince(ReleaseHistory history) {
    var latest = history.latest().orElse(null);
    if (latest == null || !latest.status().isPending()) {
      engine.pending().forget(key);
      return engine.clock().instant();
    }
    return engine.pending().firstSeen(key, latest.uid());
  }

  private StepResult act(ReleaseDecision decision, ReleaseHistory history)
      throws InterruptedException {
    if (mayRunHelm(decision) && !reservation.tryReserve()) {
      return new Ended(new RolloutResult.WaitingForHelmSlot());
    }
    if (decision instanceof ReleaseDecision.Confirm) {
      return new DecideAgain();
    }
    var conflict = inspection.ownerConflict(history);
    return conflict.isPresent() ? new Ended(conflict.get()) : actOnOwned(decision, history);
  }

  /** A decision to confirm first mostly ends with Helm, and the confirmation costs a request. */
  private static boolean mayRunHelm(ReleaseDecision decision) {
    return !(decision instanceof ReleaseDecision.UpToDate
        || decision instanceof ReleaseDecision.Wait);
  }

  private StepResult actOnOwned(ReleaseDecision decision, ReleaseHistory history)
      throws InterruptedException {
    var actions = engine.actions();
    return switch (decision) {
      case ReleaseDecision.Confirm confirm -> new DecideAgain();
      case ReleaseDecision.UpToDate(var announce) -> {
        if (change == Change.NONE && announce) {
          change = Change.CONFIRMED;
        }
        labelClassRevision(history);
        yield inspect(history);
      }
      case ReleaseDecision.Wait(var until) -> {
        inspection.reportForeignLock(history, key);
        yield new Ended(new Waiting(WaitReason.RELEASE_LOCKED, delayUntil(until)));
      }
      // Only Helm knows what the revision holds, so it may hold what other releases hold as well.
      case ReleaseDecision.UnlockByRollback(var from, var to) ->
          reservation.tryReserveExclusive(target.serverUid())
              ? actions.unlockByRollback(task, history, from, to)
              : new Ended(new RolloutResult.WaitingForHelmSlot());
      case ReleaseDecision.UnlockByUninstall(var from) -> actions.unlockByUninstall(task, from);
      case ReleaseDecision.Reinstall reinstall -> actions.removeFailedInstall(task);
      case ReleaseDecision.Install(var missing) ->
          withChart(
              history,
              Change.INSTALLED,
              spec -> {
                if (missing && desired.request().failures() == 0) {
                  listener.onEvent(new RolloutEvent.ReleaseMissing(desired.release()));
                }
                return actions.install(task, spec);
              });
      case ReleaseDecision.InstallOverHistory overHistory ->
          withChart(
              history,
              Change.INSTALLED,
              spec -> {
                listener.onEvent(new RolloutEvent.ReleaseNotInstalled(desired.release()));
                return actions.installOverHistory(task, spec);
              });
      case ReleaseDecision.Upgrade upgrade ->
          withChart(
              history,
              Change.UPGRADED,
              spec -> {
                lastDeployed(history).map(this::release).ifPresent(inspection::reclaimFields);
                return actions.upgrade(task, spec);
              });
    };
  }

  /** Another revision of the class may be the same for this owner: then Helm has nothing to do. */
  private void labelClassRevision(ReleaseHistory history) {
    var label = revision().label();
    var latest = history.latest().orElseThrow();
    if (!Objects.equals(label, latest.classRevision())) {
      var labels = new HashMap<String, @Nullable String>();
      labels.put(Labels.CLASS_REVISION, label);
      target.patchLabels(desired.workspace(), desired.release(), latest.version(), labels);
    }
  }

  private Duration delayUntil(@Nullable Instant until) {
    return until == null
        ? RECHECK_DELAY
        : Duration.between(engine.clock().instant(), until).plusMillis(100);
  }

  /** A step that needs the chart. */
  private interface ChartStep {
    StepResult run(ReleaseSpec spec) throws InterruptedException;
  }

  private StepResult withChart(ReleaseHistory history, Change onDone, ChartStep step)
      throws InterruptedException {
    var waiter = Waiter.of(desired.owner(), target.name());
    return switch (engine
        .charts()
        .load(revision().chart(), waiter, desired.request().requestedAt())) {
      case ChartResult.Loaded loaded when !revision().isOf(loaded) ->
          new Ended(ChartAccess.publishedAgain(revision(), loaded));
      case ChartResult.Loaded loaded -> {
        var actions = engine.actions();
        if (actions.needsExclusiveAccess(desired, loaded)
            && !reservation.tryReserveExclusive(target.serverUid())) {
          yield new Ended(new RolloutResult.WaitingForHelmSlot());
        }
        var conflict =
            actions.isClusterScoped(loaded)
                ? history.lastGood().flatMap(good -> inspection.sharedObjects(release(good)))
                : Optional.<RolloutResult>empty();
        if (conflict.isPresent()) {
          yield new Ended(conflict.get());
        }
        var number = history.next();
        var uidBefore = cachedHistory().latest().map(Revision::uid).orElse(null);
        var result = step.run(actions.spec(task, loaded, desiredState.fingerprint(), number));
        if (result instanceof Done(var applied)) {
          change = onDone;
          made = new NewRevision(number, uidBefore, applied);
        }
        yield result;
      }
      case ChartResult other -> new Ended(ChartAccess.unavailable(other));
    };
  }

  private ReleaseRevision revision() {
    return desired.content().revision();
  }

  private DeployedRelease release(Revision revision) {
    return new DeployedRelease(
        desired.release(),
        desired.workspace(),
        revision.version(),
        revision.uid(),
        desiredState.fingerprint(),
        revision().displayName(version));
  }

  private static Optional<Revision> lastDeployed(ReleaseHistory history) {
    return history.revisions().reversed().stream()
        .filter(revision -> revision.status() == ReleaseStatus.DEPLOYED)
        .findFirst();
  }

  private StepResult inspect(ReleaseHistory history) throws InterruptedException {
    var latest = history.latest().orElseThrow();
    var release = release(latest);
    reservation.close();
    InspectionResult found;
    try {
      found = inspect(release, latest);
    } catch (IOException unreadable) {
      return new Ended(RolloutInspection.failed(release, unreadable));
    }
    listener.onInspected(found.unchecked());
    var conflict =
        found.complete() ? inspection.sharedObjects(release) : Optional.<RolloutResult>empty();
    if (conflict.isPresent()) {
      return new Ended(conflict.get());
    }
    var mode = engine.settings().drift();
    if (!found.hasDrift()) {
      engine.driftRepairs().markInSync(key);
    } else if (mode == DriftMode.REPAIR && change != Change.UPGRADED) {
      if (!liveHistory().equals(history)) {
        return new DecideAgain(); // What was inspected is not the latest revision any more.
      }
      inspection.reportDrift(found, key);
      return repair(history);
    } else if (mode == DriftMode.WARN && change != Change.UPGRADED) {
      inspection.reportDrift(found, key);
    }
    return new Ended(engine.readiness().evaluate(target.name(), release, change, found));
  }

  private InspectionResult inspect(DeployedRelease release, Revision latest)
      throws IOException, InterruptedException {
    if (made == null) {
      return inspection.inspect(release, latest);
    }
    if (made.applied() != null) {
      inspection.stored(release, made.applied());
    }
    return inspection.inspectNew(release, latest);
  }

  private StepResult repair(ReleaseHistory history) throws InterruptedException {
    var delay = engine.driftRepairs().delay(key);
    if (delay.isPositive()) {
      return new Ended(new Waiting(WaitReason.TOO_MANY_REPAIRS, delay));
    }
    if (!reservation.tryReserve()) {
      return new Ended(new RolloutResult.WaitingForHelmSlot());
    }
    return withChart(
        history,
        Change.UPGRADED,
        spec -> {
          engine.driftRepairs().repairStarted(key);
          var result = engine.actions().upgrade(task, spec);
          engine.metrics().repaired(target.name(), result instanceof Done);
          return result;
        });
  }
}
