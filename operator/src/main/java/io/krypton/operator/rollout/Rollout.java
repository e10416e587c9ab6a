package io.krypton.operator.rollout;

import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.release.LockRules;
import io.krypton.operator.release.Observed;
import io.krypton.operator.release.ReleaseDecision;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.release.ReleaseStatus;
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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings one release to what its owner wants: namespace, decision by the stored revisions, at most
 * a few Helm runs, and a look at the result. In the steady state all of it is answered from caches.
 */
public final class Rollout {
  /** Confirm, unlock, uninstall, install, look: whoever needs more steps goes in a circle. */
  private static final int MOST_STEPS = 6;

  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final CentralChart chart;
  private final Workspaces workspaces;
  private final Inspector inspector;
  private final ReleaseActions actions;
  private final Readiness readiness;
  private final Repairs repairs;
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
    this.workspaces = new Workspaces(owners);
    this.inspector = inspector;
    this.actions = actions;
    this.readiness = new Readiness(settings.readyTimeout(), clock);
    this.settings = settings;
    this.repairs = new Repairs(clock);
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
          switch (chart.version(Waiter.of(intent.owner(), target.name()))) {
            case CentralChart.Known.NotYet(var why) -> actions.withoutChart(why);
            case CentralChart.Known.Version(var version) ->
                new Steps(intent, version, target, journal).take(isNew);
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
    private final Wanted wanted;
    private Change change = Change.NONE;

    Steps(Intent intent, String version, TargetCluster target, Journal journal) {
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
          new Observed(history, live, intent.annotated(), actions.isRunning(target, intent), false),
          change == Change.NONE ? wanted : new Wanted(wanted.fingerprint(), false, false),
          locks,
          clock.instant());
    }

    /** Does one thing; null means: look at the release again. */
    private @Nullable Situation act(ReleaseDecision decision, ReleaseHistory history)
        throws InterruptedException {
      return switch (decision) {
        case ReleaseDecision.Confirm confirm -> null;
        case ReleaseDecision.UpToDate(var announce) -> {
          if (change == Change.NONE && announce) {
            change = Change.CONFIRMED;
          }
          yield inspect(history);
        }
        case ReleaseDecision.Wait(var until) ->
            new Blocked(
                Obstacle.RELEASE_LOCKED,
                until == null
                    ? LOOK_AGAIN
                    : Duration.between(clock.instant(), until).plusMillis(100));
        case ReleaseDecision.UnlockByRollback(var from, var to) ->
            actions.unlockByRollback(intent, target, from, to, journal);
        case ReleaseDecision.UnlockByUninstall(var from) ->
            actions.unlockByUninstall(intent, target, from, journal);
        case ReleaseDecision.Reinstall reinstall -> actions.clearAway(intent, target, journal);
        case ReleaseDecision.Install(var missing) -> {
          if (missing && intent.failures() == 0) {
            journal.happened(new Happening.ReleaseMissing(intent.release()));
          }
          yield withChart(
              loaded -> actions.install(intent, target, loaded, wanted.fingerprint(), journal),
              Change.INSTALLED);
        }
        case ReleaseDecision.InstallOverHistory overHistory -> {
          journal.happened(new Happening.ReleaseNotInstalled(intent.release()));
          yield withChart(
              loaded ->
                  actions.installOverHistory(intent, target, loaded, wanted.fingerprint(), journal),
              Change.INSTALLED);
        }
        case ReleaseDecision.Upgrade upgrade ->
            withChart(
                loaded -> actions.upgrade(intent, target, loaded, wanted.fingerprint(), journal),
                Change.UPGRADED);
      };
    }

    private @Nullable Situation withChart(ChartStep step, Change done) throws InterruptedException {
      return switch (chart.load(Waiter.of(intent.owner(), target.name()))) {
        case ChartResult.Loaded loaded -> {
          var failure = step.with(loaded);
          if (failure == null) {
            change = done;
          }
          yield failure;
        }
        case ChartResult other -> actions.withoutChart(other);
      };
    }

    private @Nullable Situation inspect(ReleaseHistory history) throws InterruptedException {
      var release =
          new DeployedRelease(
              intent.release(),
              intent.workspace(),
              deployedRevision(history),
              wanted.fingerprint(),
              chart.shown(version));
      Findings findings;
      try {
        findings = inspector.inspect(target, release);
      } catch (IOException unreadable) {
        return new Situation.Unchecked(release, String.valueOf(unreadable.getMessage()));
      }
      if (!findings.hasDrift()) {
        repairs.whole(key());
      } else if (settings.drift() != DriftMode.IGNORE && change != Change.UPGRADED) {
        tell(findings);
        if (settings.drift() == DriftMode.REPAIR) {
          return repair();
        }
      }
      return readiness.judge(target.name(), release, change, findings);
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

    private @Nullable Situation repair() throws InterruptedException {
      var pause = repairs.pause(key());
      if (pause.isPositive()) {
        return new Blocked(Obstacle.TOO_MANY_REPAIRS, pause);
      }
      return withChart(
          loaded -> {
            repairs.begun(key());
            var trouble = actions.upgrade(intent, target, loaded, wanted.fingerprint(), journal);
            listener.repaired(target.name(), trouble == null);
            return trouble;
          },
          Change.UPGRADED);
    }

    private String key() {
      return Rollout.key(target.name(), intent.workspace(), intent.release());
    }

    private static int deployedRevision(ReleaseHistory history) {
      return history.revisions().reversed().stream()
          .filter(revision -> revision.status() == ReleaseStatus.DEPLOYED)
          .mapToInt(revision -> revision.version())
          .findFirst()
          .orElse(0);
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
