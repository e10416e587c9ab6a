package io.krypton.operator.release;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.CentralChart.Waiter;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.RolloutSettings.DriftMode;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.ReleaseDecider;
import io.krypton.operator.release.decide.ReleaseDecider.DesiredState;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseDecider.ObservedState;
import io.krypton.operator.release.decide.ReleaseDecision;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseHistory.ReleaseOwner;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one release to what its owner wants: namespace, decision by the stored revisions, at most
 * a few Helm runs, and a look at the result. In the steady state all of it is answered from caches.
 */
public final class Rollout {
  private static final Logger log = LoggerFactory.getLogger(Rollout.class);

  /** Confirm, unlock, uninstall, install, look: whoever needs more steps goes in a circle. */
  private static final int MAX_STEPS = 6;

  private static final Duration RECHECK_DELAY = Duration.ofSeconds(5);

  private final CentralChart chart;
  private final NamespaceReconciler namespaceReconciler;
  private final OwnerLookup owners;
  private final ReleaseInspector releaseInspector;
  private final HelmActions actions;
  private final ReadinessTracker readinessTracker;
  private final DriftRepairLimiter driftRepairLimiter;
  private final ObservationTimes pending;
  private final RolloutMetricsListener listener;
  private final RolloutSettings settings;
  private final LockPolicy locks;
  private final Clock clock;

  public Rollout(
      CentralChart chart,
      OwnerLookup owners,
      ReleaseInspector releaseInspector,
      HelmActions actions,
      RolloutSettings settings,
      Clock clock) {
    this(chart, owners, releaseInspector, actions, settings, clock, RolloutMetricsListener.NONE);
  }

  public Rollout(
      CentralChart chart,
      OwnerLookup owners,
      ReleaseInspector releaseInspector,
      HelmActions actions,
      RolloutSettings settings,
      Clock clock,
      RolloutMetricsListener listener) {
    this.chart = chart;
    this.owners = owners;
    this.namespaceReconciler = new NamespaceReconciler(owners, settings.adoptAnyNamespace());
    this.releaseInspector = releaseInspector;
    this.actions = actions;
    this.readinessTracker = new ReadinessTracker(settings.readyTimeout(), clock);
    this.settings = settings;
    this.driftRepairLimiter = new DriftRepairLimiter(clock);
    this.pending = new ObservationTimes(clock);
    this.listener = listener;
    this.locks =
        new LockPolicy(settings.instance(), settings.helmTimeout(), actions::isInstanceGone);
    this.clock = clock;
  }

  public RolloutResult run(
      DesiredRelease desiredRelease, TargetCluster target, RolloutListener rolloutListener)
      throws InterruptedException {
    var firstUse =
        target
            .cachedHistory(desiredRelease.workspace(), desiredRelease.release())
            .latest()
            .isEmpty();
    return switch (namespaceReconciler.prepare(desiredRelease, target, firstUse, rolloutListener)) {
      case NamespaceReconciler.Prepared.Usable(var isNew) ->
          switch (chart.version(
              Waiter.of(desiredRelease.owner(), target.name()), desiredRelease.requestedAt())) {
            case CentralChart.VersionLookup.NotLoaded(var why) -> actions.chartUnavailable(why);
            case CentralChart.VersionLookup.Found(var version) -> {
              try (var turn = actions.reservation(desiredRelease, target)) {
                yield new Run(desiredRelease, version, target, rolloutListener, turn)
                    .execute(isNew);
              }
            }
          };
      case NamespaceReconciler.Prepared.Terminating terminating ->
          new Waiting(WaitReason.WORKSPACE_TERMINATING, null);
      case NamespaceReconciler.Prepared.Refused(var failureReason, var message) ->
          new Failed(failureReason, message);
    };
  }

  /** The owner wants nothing here any more. */
  public void forget(String cluster, String workspace, ReleaseName release) {
    readinessTracker.forget(cluster, workspace, release);
    driftRepairLimiter.forget(key(cluster, workspace, release));
    pending.forget(key(cluster, workspace, release));
  }

  /** The owner itself is gone, whether or not it was cleaned up after it. */
  public void forget(Owner owner, String cluster, String workspace, ReleaseName release) {
    forget(cluster, workspace, release);
    chart.forget(Waiter.of(owner, cluster));
  }

  /** Nothing is rolled out on this cluster any more. */
  public void forgetCluster(String cluster) {
    readinessTracker.forgetCluster(cluster);
    driftRepairLimiter.forgetCluster(cluster);
  }

  private static String key(String cluster, String workspace, ReleaseName release) {
    return cluster + "/" + workspace + "/" + release;
  }

  /** One run for one release. */
  private final class Run {
    private final DesiredRelease desired;
    private final TargetCluster target;
    private final RolloutListener rolloutListener;
    private final String version;
    private final HelmReservation reservation;
    private final DesiredState desiredState;
    private Change change = Change.NONE;

    Run(
        DesiredRelease desiredRelease,
        String version,
        TargetCluster target,
        RolloutListener rolloutListener,
        HelmReservation turn) {
      this.reservation = turn;
      this.desired = desiredRelease;
      this.version = version;
      this.target = target;
      this.rolloutListener = rolloutListener;
      this.desiredState =
          new DesiredState(
              chart.fingerprint(version, desiredRelease.values()),
              desiredRelease.forced(),
              desiredRelease.requested());
    }

    /**
     * @param inNewNamespace there is no release, whatever a late cache says of the one before it
     */
    RolloutResult execute(boolean inNewNamespace) throws InterruptedException {
      var history = inNewNamespace ? ReleaseHistory.of(List.of()) : cachedHistory();
      var decision = decide(history, inNewNamespace);
      for (var step = 0; step < MAX_STEPS; step++) {
        var end = act(decision, history);
        if (end != null) {
          return end;
        }
        history = cachedHistory();
        decision = decide(history, false);
        if (isCacheTrusted(change, decision)) {
          continue;
        }
        history = target.readHistory(desired.workspace(), desired.release());
        decision = decide(history, true);
      }
      return new Waiting(WaitReason.RELEASE_LOCKED, RECHECK_DELAY);
    }

    private ReleaseHistory cachedHistory() {
      return target.cachedHistory(desired.workspace(), desired.release());
    }

    private ReleaseDecision decide(ReleaseHistory history, boolean live) {
      return ReleaseDecider.whatNext(
          new ObservedState(
              history,
              live,
              desired.appliedFingerprint(),
              desired.reportedRevision(),
              lockedSince(history),
              actions.isRunning(target, desired),
              false),
          change == Change.NONE
              ? desiredState
              : new DesiredState(desiredState.fingerprint(), false, false),
          locks,
          clock.instant());
    }

    private Instant lockedSince(ReleaseHistory history) {
      var latest = history.latest().orElse(null);
      if (latest == null || !latest.status().isPending()) {
        pending.forget(key());
        return clock.instant();
      }
      return pending.firstSeen(key(), latest.uid());
    }

    /** Does one thing; null means: look at the release again. */
    private @Nullable RolloutResult act(ReleaseDecision decision, ReleaseHistory history)
        throws InterruptedException {
      if (mayRunHelm(decision) && !reservation.tryReserve()) {
        return new RolloutResult.WaitingForHelmSlot();
      }
      if (decision instanceof ReleaseDecision.Confirm) {
        return null;
      }
      var stranger = foreignOwner(history);
      return stranger == null ? actOnOwned(decision, history) : ownerConflict(stranger);
    }

    /** The living object whose release this is, by UID, if it is another one. */
    private @Nullable String foreignOwner(ReleaseHistory history) {
      var ours = new ReleaseOwner(desired.owner().uid(), desired.release());
      return history
          .latest()
          .filter(
              latest ->
                  !ours.owns(
                      desired.release().value(), latest, uid -> owners.exists(target.name(), uid)))
          .map(Revision::ownerUid)
          .orElse(null);
    }

    private RolloutResult ownerConflict(String stranger) {
      return new Failed(
          FailureReason.NAMESPACE_CONFLICT,
          "release %s in namespace %s on %s belongs to another object, with UID %s; delete that object or choose another workspace"
              .formatted(desired.release(), desired.workspace(), target.name(), stranger));
    }

    private @Nullable RolloutResult actOnOwned(ReleaseDecision decision, ReleaseHistory history)
        throws InterruptedException {
      return switch (decision) {
        case ReleaseDecision.Confirm confirm -> null;
        case ReleaseDecision.UpToDate(var announce) -> {
          if (change == Change.NONE && announce) {
            change = Change.CONFIRMED;
          }
          yield inspect(history);
        }
        case ReleaseDecision.Wait(var until) -> {
          reportForeignLock(history);
          yield new Waiting(
              WaitReason.RELEASE_LOCKED,
              until == null
                  ? RECHECK_DELAY
                  : Duration.between(clock.instant(), until).plusMillis(100));
        }
        // What the revision holds is known to Helm only, so it might be what others want as well.
        case ReleaseDecision.UnlockByRollback(var from, var to) ->
            reservation.tryReserveExclusive(target.serverUid())
                ? actions.unlockByRollback(desired, target, history, from, to, rolloutListener)
                : new RolloutResult.WaitingForHelmSlot();
        case ReleaseDecision.UnlockByUninstall(var from) ->
            actions.unlockByUninstall(desired, target, from, rolloutListener);
        case ReleaseDecision.Reinstall reinstall ->
            actions.removeFailedInstall(desired, target, rolloutListener);
        case ReleaseDecision.Install(var missing) -> {
          yield withChart(
              loaded -> {
                if (missing && desired.failures() == 0) {
                  rolloutListener.onEvent(new RolloutEvent.ReleaseMissing(desired.release()));
                }
                return actions.install(
                    desired,
                    target,
                    loaded,
                    desiredState.fingerprint(),
                    history.next(),
                    rolloutListener);
              },
              history,
              Change.INSTALLED);
        }
        case ReleaseDecision.InstallOverHistory overHistory -> {
          yield withChart(
              loaded -> {
                rolloutListener.onEvent(new RolloutEvent.ReleaseNotInstalled(desired.release()));
                return actions.installOverHistory(
                    desired,
                    target,
                    loaded,
                    desiredState.fingerprint(),
                    history.next(),
                    rolloutListener);
              },
              history,
              Change.INSTALLED);
        }
        case ReleaseDecision.Upgrade upgrade -> {
          yield withChart(
              loaded -> {
                reclaimFields(history);
                return actions.upgrade(
                    desired,
                    target,
                    loaded,
                    desiredState.fingerprint(),
                    history.next(),
                    rolloutListener);
              },
              history,
              Change.UPGRADED);
        }
      };
    }

    /**
     * Takes edits out of the way that would make an upgrade fail. Without drift detection nobody
     * watches for them, so that only a failed upgrade gives reason to look.
     */
    private void reclaimFields(ReleaseHistory history) {
      var deployed =
          history.revisions().reversed().stream()
              .filter(revision -> revision.status() == ReleaseStatus.DEPLOYED)
              .findFirst();
      if (deployed.isEmpty() || (settings.drift() == DriftMode.IGNORE && desired.failures() == 0)) {
        return;
      }
      var release = release(deployed.get());
      try {
        var _ = releaseInspector.inspect(target, release, ReleaseInspector.Scope.DRIFT_REPAIR);
      } catch (IOException unreadable) {
        log.atDebug().setCause(unreadable).log("upgrading a release that cannot be inspected");
      }
    }

    private DeployedRelease release(Revision revision) {
      return new DeployedRelease(
          desired.release(),
          desired.workspace(),
          revision.version(),
          revision.uid(),
          desiredState.fingerprint(),
          chart.displayName(version));
    }

    /** What is confirmed first mostly needs Helm, and the confirmation costs a request. */
    private static boolean mayRunHelm(ReleaseDecision decision) {
      return !(decision instanceof ReleaseDecision.UpToDate
          || decision instanceof ReleaseDecision.Wait);
    }

    private @Nullable RolloutResult withChart(ChartStep step, ReleaseHistory history, Change done)
        throws InterruptedException {
      return switch (chart.load(Waiter.of(desired.owner(), target.name()), desired.requestedAt())) {
        case ChartResult.Loaded loaded -> {
          if (actions.needsExclusiveAccess(desired, loaded)
              && !reservation.tryReserveExclusive(target.serverUid())) {
            yield new RolloutResult.WaitingForHelmSlot();
          }
          var failure = actions.isClusterScoped(loaded) ? checkSharedObjects(history) : null;
          failure = failure == null ? step.run(loaded) : failure;
          if (failure == null) {
            change = done;
          }
          yield failure;
        }
        case ChartResult other -> actions.chartUnavailable(other);
      };
    }

    /**
     * Helm looks whose an object is before it takes it in, but not again at an upgrade: that would
     * take from another release what is in both, and delete what is in the old one alone.
     */
    private @Nullable RolloutResult checkSharedObjects(ReleaseHistory history) {
      var good = history.lastGood().orElse(null);
      return good == null ? null : checkSharedObjects(release(good));
    }

    private @Nullable RolloutResult checkSharedObjects(DeployedRelease release) {
      try {
        var others = releaseInspector.ownedByOthers(target, release);
        return others.isEmpty()
            ? null
            : new Failed(
                FailureReason.INSTALL_FAILED,
                "%s holds objects of others: %s; delete one of the releases or rename the objects"
                    .formatted(release.name(), MessageText.list(others)));
      } catch (IOException unreadable) {
        return new RolloutResult.InspectionFailed(release, String.valueOf(unreadable.getMessage()));
      }
    }

    private @Nullable RolloutResult inspect(ReleaseHistory history) throws InterruptedException {
      var latest = history.latest().orElseThrow();
      var release = release(latest);
      reservation.close();
      InspectionResult inspectionResult;
      try {
        inspectionResult = inspectRevision(release, latest);
      } catch (IOException unreadable) {
        return new RolloutResult.InspectionFailed(release, String.valueOf(unreadable.getMessage()));
      }
      rolloutListener.onInspected(inspectionResult.unchecked());
      var ofOthers = inspectionResult.complete() ? checkSharedObjects(release) : null;
      if (ofOthers != null) {
        return ofOthers;
      }
      if (!inspectionResult.hasDrift()) {
        driftRepairLimiter.markInSync(key());
      } else if (settings.drift() != DriftMode.IGNORE && change != Change.UPGRADED) {
        if (settings.drift() == DriftMode.REPAIR) {
          if (!target.readHistory(desired.workspace(), desired.release()).equals(history)) {
            return null; // It is not what was looked at any more.
          }
          reportDrift(inspectionResult);
          return repair(history);
        }
        reportDrift(inspectionResult);
      }
      return readinessTracker.evaluate(target.name(), release, change, inspectionResult);
    }

    /**
     * A revision that somebody else made is drift of the release itself. What it holds is not asked
     * for, so that there is no need to look whether the objects are as it says.
     */
    private InspectionResult inspectRevision(DeployedRelease release, Revision latest)
        throws IOException {
      if (!latest.isForeign(desired.reportedRevision())) {
        return releaseInspector.inspect(target, release, scope());
      }
      var shown =
          "Release/%s/%s (revision %d is not of this operator)"
              .formatted(release.namespace(), release.name(), release.revision());
      return settings.drift() == DriftMode.REPAIR
          ? InspectionResult.NONE.withChanged(shown)
          : releaseInspector.inspect(target, release, scope()).withChanged(shown);
    }

    /** Somebody else's run once, however long it lasts. */
    private void reportForeignLock(ReleaseHistory history) {
      history
          .latest()
          .filter(it -> it.status().isPending() && it.instance() == null)
          .filter(it -> pending.markReported(key()))
          .ifPresent(
              it ->
                  rolloutListener.onEvent(
                      new RolloutEvent.ForeignRun(
                          desired.release(),
                          it.version(),
                          it.status(),
                          locks.foreignLockTimeout())));
    }

    private ReleaseInspector.Scope scope() {
      return switch (settings.drift()) {
        case IGNORE -> ReleaseInspector.Scope.READINESS;
        case WARN -> ReleaseInspector.Scope.DRIFT;
        case REPAIR -> ReleaseInspector.Scope.DRIFT_REPAIR;
      };
    }

    /** Each drift once, however long it lasts. */
    private void reportDrift(InspectionResult inspectionResult) {
      var news =
          driftRepairLimiter.newDrift(
              key(), inspectionResult.missing(), inspectionResult.changed());
      if (!news.isEmpty()) {
        listener.driftDetected(
            target.name(),
            news.stream().map(object -> object.substring(0, object.indexOf('/'))).toList());
        rolloutListener.onEvent(
            new RolloutEvent.DriftFound(
                inspectionResult.missing(),
                inspectionResult.changed(),
                settings.drift() == DriftMode.REPAIR));
      }
    }

    private @Nullable RolloutResult repair(ReleaseHistory history) throws InterruptedException {
      var pause = driftRepairLimiter.delay(key());
      if (pause.isPositive()) {
        return new Waiting(WaitReason.TOO_MANY_REPAIRS, pause);
      }
      if (!reservation.tryReserve()) {
        return new RolloutResult.WaitingForHelmSlot();
      }
      return withChart(
          loaded -> {
            driftRepairLimiter.repairStarted(key());
            var trouble =
                actions.upgrade(
                    desired,
                    target,
                    loaded,
                    desiredState.fingerprint(),
                    history.next(),
                    rolloutListener);
            listener.repaired(target.name(), trouble == null);
            return trouble;
          },
          history,
          Change.UPGRADED);
    }

    private String key() {
      return Rollout.key(target.name(), desired.workspace(), desired.release());
    }
  }

  /**
   * Whether the cache can be believed right after a step. Its watch is mostly faster than the end
   * of the Helm process. Before an install there was no revision, so that a deployed one can only
   * be the new one; after an upgrade it may still be the one before.
   */
  static boolean isCacheTrusted(Change change, ReleaseDecision byCache) {
    return change == Change.INSTALLED && byCache instanceof ReleaseDecision.UpToDate;
  }

  private interface ChartStep {
    @Nullable RolloutResult run(ChartResult.Loaded loaded) throws InterruptedException;
  }
}
