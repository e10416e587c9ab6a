package io.krypton.operator.rollout;

import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.manifest.Names;
import io.krypton.operator.release.LockRules;
import io.krypton.operator.release.Observed;
import io.krypton.operator.release.ReleaseDecision;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.release.ReleaseOwner;
import io.krypton.operator.release.ReleaseStatus;
import io.krypton.operator.release.Revision;
import io.krypton.operator.release.Wanted;
import io.krypton.operator.release.WhatNext;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.Journal.Happening;
import io.krypton.operator.rollout.RolloutSettings.DriftMode;
import io.krypton.operator.rollout.Situation.Blocked;
import io.krypton.operator.rollout.Situation.Change;
import io.krypton.operator.rollout.Situation.Failed;
import io.krypton.operator.rollout.Situation.Obstacle;
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
  private static final int MOST_STEPS = 6;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final CentralChart chart;
  private final Workspaces workspaces;
  private final LivingOwners owners;
  private final Inspector inspector;
  private final ReleaseActions actions;
  private final Readiness readiness;
  private final Repairs repairs;
  private final Sightings pending;
  private final RolloutListener listener;
  private final RolloutSettings settings;
  private final LockRules locks;
  private final Clock clock;

  public Rollout(
      CentralChart chart,
      LivingOwners owners,
      Inspector inspector,
      ReleaseActions actions,
      RolloutSettings settings,
      Clock clock) {
    this(chart, owners, inspector, actions, settings, clock, RolloutListener.NONE);
  }

  public Rollout(
      CentralChart chart,
      LivingOwners owners,
      Inspector inspector,
      ReleaseActions actions,
      RolloutSettings settings,
      Clock clock,
      RolloutListener listener) {
    this.chart = chart;
    this.owners = owners;
    this.workspaces = new Workspaces(owners, settings.adoptAnyNamespace());
    this.inspector = inspector;
    this.actions = actions;
    this.readiness = new Readiness(settings.readyTimeout(), clock);
    this.settings = settings;
    this.repairs = new Repairs(clock);
    this.pending = new Sightings(clock);
    this.listener = listener;
    this.locks =
        new LockRules(settings.instance(), settings.helmTimeout(), actions::isInstanceGone);
    this.clock = clock;
  }

  public Situation run(Intent intent, TargetCluster target, Journal journal)
      throws InterruptedException {
    var firstUse = target.knownHistory(intent.workspace(), intent.release()).latest().isEmpty();
    return switch (workspaces.prepare(intent, target, firstUse, journal)) {
      case Workspaces.Prepared.Usable(var isNew) ->
          switch (chart.version(Waiter.of(intent.owner(), target.name()), intent.request())) {
            case CentralChart.Known.NotYet(var why) -> actions.withoutChart(why);
            case CentralChart.Known.Version(var version) -> {
              try (var turn = actions.turn(intent, target)) {
                yield new Steps(intent, version, target, journal, turn).take(isNew);
              }
            }
          };
      case Workspaces.Prepared.Terminating terminating ->
          new Blocked(Obstacle.WORKSPACE_TERMINATING, null);
      case Workspaces.Prepared.Refused(var problem, var message) -> new Failed(problem, message);
    };
  }

  /** The owner wants nothing here any more. */
  public void forget(String cluster, String workspace, ReleaseName release) {
    readiness.forget(cluster, workspace, release);
    repairs.forget(key(cluster, workspace, release));
    pending.end(key(cluster, workspace, release));
  }

  /** The owner itself is gone, whether or not it was cleaned up after it. */
  public void forget(Owner owner, String cluster, String workspace, ReleaseName release) {
    forget(cluster, workspace, release);
    chart.forget(Waiter.of(owner, cluster));
  }

  /** Nothing is rolled out on this cluster any more. */
  public void forgetCluster(String cluster) {
    readiness.forgetCluster(cluster);
    repairs.forgetCluster(cluster);
  }

  private static String key(String cluster, String workspace, ReleaseName release) {
    return cluster + "/" + workspace + "/" + release;
  }

  /** One run for one release. */
  private final class Steps {
    private final Intent intent;
    private final TargetCluster target;
    private final Journal journal;
    private final String version;
    private final HelmTurn turn;
    private final Wanted wanted;
    private Change change = Change.NONE;

    Steps(Intent intent, String version, TargetCluster target, Journal journal, HelmTurn turn) {
      this.turn = turn;
      this.intent = intent;
      this.version = version;
      this.target = target;
      this.journal = journal;
      this.wanted =
          new Wanted(chart.fingerprint(version, intent.values()), intent.forced(), intent.asked());
    }

    /**
     * @param inNewNamespace there is no release, whatever a late cache says of the one before it
     */
    Situation take(boolean inNewNamespace) throws InterruptedException {
      var history = inNewNamespace ? ReleaseHistory.of(List.of()) : known();
      var decision = decide(history, inNewNamespace);
      for (var step = 0; step < MOST_STEPS; step++) {
        var end = act(decision, history);
        if (end != null) {
          return end;
        }
        history = known();
        decision = decide(history, false);
        if (isBelieved(change, decision)) {
          continue;
        }
        history = target.readHistory(intent.workspace(), intent.release());
        decision = decide(history, true);
      }
      return new Blocked(Obstacle.RELEASE_LOCKED, LOOK_AGAIN);
    }

    private ReleaseHistory known() {
      return target.knownHistory(intent.workspace(), intent.release());
    }

    private ReleaseDecision decide(ReleaseHistory history, boolean live) {
      return WhatNext.whatNext(
          new Observed(
              history,
              live,
              intent.annotated(),
              intent.reported(),
              lockedSince(history),
              actions.isRunning(target, intent),
              false),
          change == Change.NONE ? wanted : new Wanted(wanted.fingerprint(), false, false),
          locks,
          clock.instant());
    }

    private Instant lockedSince(ReleaseHistory history) {
      var latest = history.latest().orElse(null);
      if (latest == null || !latest.status().isPending()) {
        pending.end(key());
        return clock.instant();
      }
      return pending.since(key(), latest.uid());
    }

    /** Does one thing; null means: look at the release again. */
    private @Nullable Situation act(ReleaseDecision decision, ReleaseHistory history)
        throws InterruptedException {
      if (mayRunHelm(decision) && !turn.take()) {
        return new Situation.WaitingForTurn();
      }
      if (decision instanceof ReleaseDecision.Confirm) {
        return null;
      }
      var stranger = strangerOf(history);
      return stranger == null ? actOnOurs(decision, history) : refused(stranger);
    }

    /** The living object whose release this is, by UID, if it is another one. */
    private @Nullable String strangerOf(ReleaseHistory history) {
      var ours = new ReleaseOwner(intent.owner().uid(), intent.release());
      return history
          .latest()
          .filter(
              latest ->
                  !ours.owns(
                      intent.release().value(), latest, uid -> owners.lives(target.name(), uid)))
          .map(Revision::ownerUid)
          .orElse(null);
    }

    private Situation refused(String stranger) {
      return new Failed(
          Problem.NAMESPACE_CONFLICT,
          "release %s in namespace %s on %s belongs to another object, with UID %s; delete that object or choose another workspace"
              .formatted(intent.release(), intent.workspace(), target.name(), stranger));
    }

    private @Nullable Situation actOnOurs(ReleaseDecision decision, ReleaseHistory history)
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
          tellLock(history);
          yield new Blocked(
              Obstacle.RELEASE_LOCKED,
              until == null
                  ? LOOK_AGAIN
                  : Duration.between(clock.instant(), until).plusMillis(100));
        }
        // What the revision holds is known to Helm only, so it might be what others want as well.
        case ReleaseDecision.UnlockByRollback(var from, var to) ->
            turn.takeAlone(target.server())
                ? actions.unlockByRollback(intent, target, history, from, to, journal)
                : new Situation.WaitingForTurn();
        case ReleaseDecision.UnlockByUninstall(var from) ->
            actions.unlockByUninstall(intent, target, from, journal);
        case ReleaseDecision.Reinstall reinstall -> actions.clearAway(intent, target, journal);
        case ReleaseDecision.Install(var missing) -> {
          yield withChart(
              loaded -> {
                if (missing && intent.failures() == 0) {
                  journal.happened(new Happening.ReleaseMissing(intent.release()));
                }
                return actions.install(
                    intent, target, loaded, wanted.fingerprint(), history.next(), journal);
              },
              history,
              Change.INSTALLED);
        }
        case ReleaseDecision.InstallOverHistory overHistory -> {
          yield withChart(
              loaded -> {
                journal.happened(new Happening.ReleaseNotInstalled(intent.release()));
                return actions.installOverHistory(
                    intent, target, loaded, wanted.fingerprint(), history.next(), journal);
              },
              history,
              Change.INSTALLED);
        }
        case ReleaseDecision.Upgrade upgrade -> {
          yield withChart(
              loaded -> {
                makeWay(history);
                return actions.upgrade(
                    intent, target, loaded, wanted.fingerprint(), history.next(), journal);
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
    private void makeWay(ReleaseHistory history) {
      var deployed =
          history.revisions().reversed().stream()
              .filter(revision -> revision.status() == ReleaseStatus.DEPLOYED)
              .findFirst();
      if (deployed.isEmpty() || (settings.drift() == DriftMode.IGNORE && intent.failures() == 0)) {
        return;
      }
      var release = release(deployed.get());
      try {
        var _ = inspector.inspect(target, release, Inspector.Scope.DRIFT_TO_BE_REPAIRED);
      } catch (IOException unreadable) {
        log.atDebug().setCause(unreadable).log("upgrading a release that cannot be inspected");
      }
    }

    private DeployedRelease release(Revision revision) {
      return new DeployedRelease(
          intent.release(),
          intent.workspace(),
          revision.version(),
          revision.uid(),
          wanted.fingerprint(),
          chart.shown(version));
    }

    /** What is confirmed first mostly needs Helm, and the confirmation costs a request. */
    private static boolean mayRunHelm(ReleaseDecision decision) {
      return !(decision instanceof ReleaseDecision.UpToDate
          || decision instanceof ReleaseDecision.Wait);
    }

    private @Nullable Situation withChart(ChartStep step, ReleaseHistory history, Change done)
        throws InterruptedException {
      return switch (chart.load(Waiter.of(intent.owner(), target.name()), intent.request())) {
        case ChartResult.Loaded loaded -> {
          if (actions.mustBeAlone(intent, loaded) && !turn.takeAlone(target.server())) {
            yield new Situation.WaitingForTurn();
          }
          var failure = actions.isBeyondNamespace(loaded) ? ofOthers(history) : null;
          failure = failure == null ? step.with(loaded) : failure;
          if (failure == null) {
            change = done;
          }
          yield failure;
        }
        case ChartResult other -> actions.withoutChart(other);
      };
    }

    /**
     * Helm looks whose an object is before it takes it in, but not again at an upgrade: that would
     * take from another release what is in both, and delete what is in the old one alone.
     */
    private @Nullable Situation ofOthers(ReleaseHistory history) {
      var good = history.lastGood().orElse(null);
      return good == null ? null : ofOthers(release(good));
    }

    private @Nullable Situation ofOthers(DeployedRelease release) {
      try {
        var others = inspector.ownedByOthers(target, release);
        return others.isEmpty()
            ? null
            : new Failed(
                Problem.INSTALL_FAILED,
                "%s holds objects of others: %s; delete one of the releases or rename the objects"
                    .formatted(release.name(), Names.list(others)));
      } catch (IOException unreadable) {
        return new Situation.Unchecked(release, String.valueOf(unreadable.getMessage()));
      }
    }

    private @Nullable Situation inspect(ReleaseHistory history) throws InterruptedException {
      var latest = history.latest().orElseThrow();
      var release = release(latest);
      turn.close();
      Findings findings;
      try {
        findings = findings(release, latest);
      } catch (IOException unreadable) {
        return new Situation.Unchecked(release, String.valueOf(unreadable.getMessage()));
      }
      journal.checked(findings.unchecked());
      var ofOthers = findings.complete() ? ofOthers(release) : null;
      if (ofOthers != null) {
        return ofOthers;
      }
      if (!findings.hasDrift()) {
        repairs.whole(key());
      } else if (settings.drift() != DriftMode.IGNORE && change != Change.UPGRADED) {
        if (settings.drift() == DriftMode.REPAIR) {
          if (!target.readHistory(intent.workspace(), intent.release()).equals(history)) {
            return null; // It is not what was looked at any more.
          }
          tell(findings);
          return repair(history);
        }
        tell(findings);
      }
      return readiness.judge(target.name(), release, change, findings);
    }

    /**
     * A revision that somebody else made is drift of the release itself. What it holds is not asked
     * for, so that there is no need to look whether the objects are as it says.
     */
    private Findings findings(DeployedRelease release, Revision latest) throws IOException {
      if (!latest.isForeign(intent.reported())) {
        return inspector.inspect(target, release, scope());
      }
      var shown =
          "Release/%s/%s (revision %d is not of this operator)"
              .formatted(release.namespace(), release.name(), release.revision());
      return settings.drift() == DriftMode.REPAIR
          ? Findings.NONE.withChanged(shown)
          : inspector.inspect(target, release, scope()).withChanged(shown);
    }

    /** Somebody else's run once, however long it lasts. */
    private void tellLock(ReleaseHistory history) {
      history
          .latest()
          .filter(it -> it.status().isPending() && it.instance() == null)
          .filter(it -> pending.isNews(key()))
          .ifPresent(
              it ->
                  journal.happened(
                      new Happening.ForeignRun(
                          intent.release(),
                          it.version(),
                          it.status(),
                          locks.patienceWithOthers())));
    }

    private Inspector.Scope scope() {
      return switch (settings.drift()) {
        case IGNORE -> Inspector.Scope.READINESS;
        case WARN -> Inspector.Scope.DRIFT;
        case REPAIR -> Inspector.Scope.DRIFT_TO_BE_REPAIRED;
      };
    }

    /** Each drift once, however long it lasts. */
    private void tell(Findings findings) {
      var news = repairs.news(key(), findings.missing(), findings.changed());
      if (!news.isEmpty()) {
        listener.driftDetected(
            target.name(),
            news.stream().map(object -> object.substring(0, object.indexOf('/'))).toList());
        journal.happened(
            new Happening.DriftFound(
                findings.missing(), findings.changed(), settings.drift() == DriftMode.REPAIR));
      }
    }

    private @Nullable Situation repair(ReleaseHistory history) throws InterruptedException {
      var pause = repairs.pause(key());
      if (pause.isPositive()) {
        return new Blocked(Obstacle.TOO_MANY_REPAIRS, pause);
      }
      if (!turn.take()) {
        return new Situation.WaitingForTurn();
      }
      return withChart(
          loaded -> {
            repairs.begun(key());
            var trouble =
                actions.upgrade(
                    intent, target, loaded, wanted.fingerprint(), history.next(), journal);
            listener.repaired(target.name(), trouble == null);
            return trouble;
          },
          history,
          Change.UPGRADED);
    }

    private String key() {
      return Rollout.key(target.name(), intent.workspace(), intent.release());
    }
  }

  /**
   * Whether the cache can be believed right after a step. Its watch is mostly faster than the end
   * of the Helm process. Before an install there was no revision, so that a deployed one can only
   * be the new one; after an upgrade it may still be the one before.
   */
  static boolean isBelieved(Change change, ReleaseDecision byCache) {
    return change == Change.INSTALLED && byCache instanceof ReleaseDecision.UpToDate;
  }

  private interface ChartStep {
    @Nullable Situation with(ChartResult.Loaded loaded) throws InterruptedException;
  }
}
