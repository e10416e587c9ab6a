package io.krypton.operator.rollout;

import io.krypton.api.Labels;
import io.krypton.operator.chart.ChartReach;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.helm.HelmClient;
import io.krypton.operator.helm.HelmOperation;
import io.krypton.operator.helm.HelmResult;
import io.krypton.operator.helm.ReleaseKey;
import io.krypton.operator.release.Fingerprint;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseLabels;
import io.krypton.operator.release.Remediation;
import io.krypton.operator.rollout.CentralChart.Waiter;
import io.krypton.operator.rollout.Journal.Activity;
import io.krypton.operator.rollout.Journal.Happening;
import io.krypton.operator.rollout.Situation.Blocked;
import io.krypton.operator.rollout.Situation.Failed;
import io.krypton.operator.rollout.Situation.Obstacle;
import io.krypton.operator.rollout.Situation.OutOfReach;
import java.time.Duration;
import java.util.HashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Helm runs of a rollout. Each answers null when it worked, else where the rollout stands. */
public final class ReleaseActions {
  private static final Logger log = LoggerFactory.getLogger(ReleaseActions.class);
  private static final Duration BUSY_PAUSE = Duration.ofSeconds(5);

  private final HelmClient helm;
  private final RolloutSettings settings;
  private final RolloutListener listener;
  private final ChartReach reach = new ChartReach();
  private final Consumer<Waiter> wake;

  /** Whoever finds no turn at Helm comes again by itself. */
  public ReleaseActions(HelmClient helm, RolloutSettings settings) {
    this(helm, settings, RolloutListener.NONE, nobody -> {});
  }

  /**
   * Nothing is done yet.
   *
   * @param wake called for those who found no turn at Helm, when there is one for them
   */
  public ReleaseActions(
      HelmClient helm, RolloutSettings settings, RolloutListener listener, Consumer<Waiter> wake) {
    this.helm = helm;
    this.settings = settings;
    this.listener = listener;
    this.wake = wake;
  }

  HelmTurn turn(Intent intent, TargetCluster target) {
    var waiter = Waiter.of(intent.owner(), target.name());
    return new HelmTurn(helm, key(intent, target), () -> wake.accept(waiter));
  }

  /** Whether a process that once worked on releases can work on none any more. */
  boolean isInstanceGone(String instance) {
    return helm.hasEnded(instance);
  }

  /** Whether this step may change what others could want as well. */
  boolean mustBeAlone(Intent intent, ChartResult.Loaded chart) {
    return isBeyondNamespace(chart)
        || (settings.rollbackAfterFailures()
            && Remediation.ROLLBACK.isDueAfter(intent.failures() + 1));
  }

  /** Whether a release of it may hold what others could want as well. */
  boolean isBeyondNamespace(ChartResult.Loaded chart) {
    return reach.isBeyondNamespace(chart.archive());
  }

  boolean isRunning(TargetCluster target, Intent intent) {
    return helm.isRunning(key(intent, target));
  }

  @Nullable Situation install(
      Intent intent,
      TargetCluster target,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision,
      Journal journal)
      throws InterruptedException {
    journal.begins(Activity.INSTALLING, intent.release(), intent.failures() > 0);
    var operation =
        new HelmOperation.Install(
            target(intent, target), content(intent, chart, fingerprint, revision));
    return installed(operation, intent, journal);
  }

  @Nullable Situation installOverHistory(
      Intent intent,
      TargetCluster target,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision,
      Journal journal)
      throws InterruptedException {
    journal.begins(Activity.INSTALLING, intent.release(), intent.failures() > 0);
    var operation =
        new HelmOperation.Upgrade(
            target(intent, target), content(intent, chart, fingerprint, revision), true);
    return installed(operation, intent, journal);
  }

  private @Nullable Situation installed(HelmOperation operation, Intent intent, Journal journal)
      throws InterruptedException {
    var trouble = run(operation, Problem.INSTALL_FAILED);
    if (trouble == null) {
      log.atInfo().addKeyValue("release", intent.release()).log("helm install success");
      journal.happened(new Happening.Installed(intent.release()));
    }
    return trouble;
  }

  @Nullable Situation upgrade(
      Intent intent,
      TargetCluster target,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision,
      Journal journal)
      throws InterruptedException {
    journal.begins(Activity.UPGRADING, intent.release(), intent.failures() > 0);
    var operation =
        new HelmOperation.Upgrade(
            target(intent, target), content(intent, chart, fingerprint, revision));
    var trouble = run(operation, Problem.UPGRADE_FAILED);
    if (trouble == null) {
      log.atInfo().addKeyValue("release", intent.release()).log("helm upgrade success");
      journal.happened(new Happening.Upgraded(intent.release()));
    } else if (trouble instanceof Failed) {
      remedy(intent, target, journal);
    }
    return trouble;
  }

  /** An upgrade that keeps failing may be configured to go back to what worked; it stays failed. */
  private void remedy(Intent intent, TargetCluster target, Journal journal)
      throws InterruptedException {
    if (!settings.rollbackAfterFailures()) {
      return;
    }
    var history = target.readHistory(intent.workspace(), intent.release());
    var to = Remediation.ROLLBACK.rollbackTo(intent.failures() + 1, history);
    if (to.isPresent() && rollback(intent, target, history, to.getAsInt()) == null) {
      var from = history.latest().map(revision -> revision.version()).orElse(0);
      journal.happened(new Happening.RolledBack(intent.release(), from, to.getAsInt()));
    }
  }

  @Nullable Situation unlockByRollback(
      Intent intent,
      TargetCluster target,
      ReleaseHistory history,
      int from,
      int to,
      Journal journal)
      throws InterruptedException {
    journal.begins(Activity.UNLOCKING, intent.release(), intent.failures() > 0);
    var trouble = rollback(intent, target, history, to);
    if (trouble == null) {
      listener.unlocked(target.name(), RolloutListener.Unlock.ROLLBACK);
      journal.happened(
          new Happening.Unlocked(intent.release(), "revision " + from, "revision " + to));
    }
    return trouble;
  }

  @Nullable Situation unlockByUninstall(
      Intent intent, TargetCluster target, int from, Journal journal) throws InterruptedException {
    journal.begins(Activity.UNLOCKING, intent.release(), intent.failures() > 0);
    var trouble = uninstall(intent, target);
    if (trouble == null) {
      listener.unlocked(target.name(), RolloutListener.Unlock.UNINSTALL);
      journal.happened(new Happening.Unlocked(intent.release(), "revision " + from, "uninstalled"));
    }
    return trouble;
  }

  /** Removes what a failed first install left, so that the next one runs its hooks again. */
  @Nullable Situation clearAway(Intent intent, TargetCluster target, Journal journal)
      throws InterruptedException {
    journal.begins(Activity.INSTALLING, intent.release(), true); // The install itself is told.
    return uninstall(intent, target);
  }

  private @Nullable Situation rollback(
      Intent intent, TargetCluster target, ReleaseHistory history, int to)
      throws InterruptedException {
    number(intent, target, history, to);
    return run(new HelmOperation.Rollback(target(intent, target), to), Problem.UPGRADE_FAILED);
  }

  /**
   * Helm takes no labels for a rollback: it copies those of the revision it goes back to. So that
   * one gets the number of the next revision, which will be ours. What somebody else made holds
   * nothing that a fingerprint of ours describes.
   */
  private void number(Intent intent, TargetCluster target, ReleaseHistory history, int to) {
    var labels = new HashMap<String, @Nullable String>();
    labels.put(Labels.REVISION, Integer.toString(history.next()));
    labels.put(Labels.INSTANCE, settings.instance());
    if (history.revisions().stream()
        .anyMatch(it -> it.version() == to && it.isForeign(intent.reported()))) {
      labels.put(Labels.FINGERPRINT, null);
    }
    target.label(intent.workspace(), intent.release(), to, labels);
  }

  private @Nullable Situation uninstall(Intent intent, TargetCluster target)
      throws InterruptedException {
    return run(
        new HelmOperation.Uninstall(target(intent, target, settings.uninstallTimeout())),
        Problem.INSTALL_FAILED);
  }

  private @Nullable Situation run(HelmOperation operation, Problem ifItFails)
      throws InterruptedException {
    return switch (helm.run(operation)) {
      case HelmResult.Done done -> null;
      case HelmResult.Failed(var message) -> new Failed(ifItFails, message);
      case HelmResult.TimedOut(var limit, var message) ->
          new Failed(ifItFails, "not done within %d s: %s".formatted(limit.toSeconds(), message));
      case HelmResult.Unusable(var reason) -> new Failed(Problem.HELM_CONFIG_INIT_FAILED, reason);
      case HelmResult.Unreachable(var message) -> new OutOfReach(message);
      case HelmResult.Busy busy -> new Blocked(Obstacle.RELEASE_LOCKED, BUSY_PAUSE);
      case HelmResult.Stopped stopped ->
          throw new InterruptedException("helm %s was stopped".formatted(operation.word()));
    };
  }

  /** Where a rollout stands that needs a chart which is not there. */
  Situation withoutChart(ChartResult chart) {
    return switch (chart) {
      case ChartResult.Loading loading -> new Blocked(Obstacle.CHART_LOADING, null);
      case ChartResult.VersionInvalid(var version) ->
          new Failed(
              Problem.VERSION_INVALID,
              "chart version '%s' is not a version; set --chart-version to one like 1.2.3"
                  .formatted(version));
      case ChartResult.VersionNotFound(var message) ->
          new Failed(Problem.VERSION_NOT_FOUND, message);
      case ChartResult.DigestMismatch(var message) ->
          new Failed(Problem.CHART_DIGEST_MISMATCH, message);
      case ChartResult.NotLoaded(var message) -> {
        log.atInfo().log("chart not loaded; skipping helm action");
        yield new Failed(
            Problem.CHART_NOT_LOADED, "chart not loaded; repo unreachable? " + message);
      }
      case ChartResult.ToolUnusable(var message) ->
          new Failed(Problem.HELM_CONFIG_INIT_FAILED, message);
      case ChartResult.Loaded loaded ->
          throw new IllegalArgumentException("a loaded chart is no obstacle");
    };
  }

  private HelmOperation.Rollout content(
      Intent intent, ChartResult.Loaded chart, Fingerprint fingerprint, int revision) {
    return new HelmOperation.Rollout(
        chart.archive(),
        intent.base().beneath(intent.values(), chart.valueKeys()),
        new ReleaseLabels(intent.owner().uid(), fingerprint, settings.instance(), revision));
  }

  private HelmOperation.Target target(Intent intent, TargetCluster target) {
    return target(intent, target, settings.helmTimeout());
  }

  private static HelmOperation.Target target(
      Intent intent, TargetCluster target, Duration timeout) {
    return new HelmOperation.Target(key(intent, target), target.kubeconfig(), timeout);
  }

  private static ReleaseKey key(Intent intent, TargetCluster target) {
    return new ReleaseKey(target.name(), intent.workspace(), intent.release());
  }
}
