package io.krypton.operator.release;

import io.krypton.api.Labels;
import io.krypton.operator.release.CentralChart.Waiter;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutResult.ClusterUnreachable;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartScopeAnalyzer;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseDecider.Remediation;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision.ReleaseLabels;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Helm runs of a rollout. Each answers null when it worked, else where the rollout stands. */
public final class HelmActions {
  private static final Logger log = LoggerFactory.getLogger(HelmActions.class);
  private static final Duration BUSY_DELAY = Duration.ofSeconds(5);

  private final HelmClient helm;
  private final RolloutSettings settings;
  private final RolloutMetricsListener listener;
  private final ChartScopeAnalyzer scopeAnalyzer = new ChartScopeAnalyzer();
  private final Consumer<Waiter> enqueue;

  /** Whoever finds no turn at Helm comes again by itself. */
  public HelmActions(HelmClient helm, RolloutSettings settings) {
    this(helm, settings, RolloutMetricsListener.NONE, nobody -> {});
  }

  /**
   * Nothing is done yet.
   *
   * @param wake called for those who found no turn at Helm, when there is one for them
   */
  public HelmActions(
      HelmClient helm,
      RolloutSettings settings,
      RolloutMetricsListener listener,
      Consumer<Waiter> wake) {
    this.helm = helm;
    this.settings = settings;
    this.listener = listener;
    this.enqueue = wake;
  }

  HelmReservation reservation(DesiredRelease desiredRelease, TargetCluster target) {
    var waiter = Waiter.of(desiredRelease.owner(), target.name());
    return new HelmReservation(helm, key(desiredRelease, target), () -> enqueue.accept(waiter));
  }

  /** Whether a process that once worked on releases can work on none any more. */
  boolean isInstanceGone(String instance) {
    return helm.hasEnded(instance);
  }

  /** Whether this step may change what others could want as well. */
  boolean needsExclusiveAccess(DesiredRelease desiredRelease, ChartResult.Loaded chart) {
    return isClusterScoped(chart)
        || (settings.rollbackAfterFailures()
            && Remediation.ROLLBACK.isDueAfter(desiredRelease.failures() + 1));
  }

  /** Whether a release of it may hold what others could want as well. */
  boolean isClusterScoped(ChartResult.Loaded chart) {
    return scopeAnalyzer.exceedsNamespace(chart.archive());
  }

  boolean isRunning(TargetCluster target, DesiredRelease desiredRelease) {
    return helm.isRunning(key(desiredRelease, target));
  }

  @Nullable RolloutResult install(
      DesiredRelease desiredRelease,
      TargetCluster target,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision,
      RolloutListener rolloutListener)
      throws InterruptedException {
    rolloutListener.onStepStarted(
        Activity.INSTALLING, desiredRelease.release(), desiredRelease.failures() > 0);
    var operation =
        new HelmOperation.Install(
            target(desiredRelease, target), content(desiredRelease, chart, fingerprint, revision));
    return installed(operation, desiredRelease, rolloutListener);
  }

  @Nullable RolloutResult installOverHistory(
      DesiredRelease desiredRelease,
      TargetCluster target,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision,
      RolloutListener rolloutListener)
      throws InterruptedException {
    rolloutListener.onStepStarted(
        Activity.INSTALLING, desiredRelease.release(), desiredRelease.failures() > 0);
    var operation =
        new HelmOperation.Upgrade(
            target(desiredRelease, target),
            content(desiredRelease, chart, fingerprint, revision),
            true);
    return installed(operation, desiredRelease, rolloutListener);
  }

  private @Nullable RolloutResult installed(
      HelmOperation operation, DesiredRelease desiredRelease, RolloutListener rolloutListener)
      throws InterruptedException {
    var trouble = run(operation, FailureReason.INSTALL_FAILED);
    if (trouble == null) {
      log.atInfo().addKeyValue("release", desiredRelease.release()).log("helm install success");
      rolloutListener.onEvent(new RolloutEvent.Installed(desiredRelease.release()));
    }
    return trouble;
  }

  @Nullable RolloutResult upgrade(
      DesiredRelease desiredRelease,
      TargetCluster target,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision,
      RolloutListener rolloutListener)
      throws InterruptedException {
    rolloutListener.onStepStarted(
        Activity.UPGRADING, desiredRelease.release(), desiredRelease.failures() > 0);
    var operation =
        new HelmOperation.Upgrade(
            target(desiredRelease, target), content(desiredRelease, chart, fingerprint, revision));
    var trouble = run(operation, FailureReason.UPGRADE_FAILED);
    if (trouble == null) {
      log.atInfo().addKeyValue("release", desiredRelease.release()).log("helm upgrade success");
      rolloutListener.onEvent(new RolloutEvent.Upgraded(desiredRelease.release()));
    } else if (trouble instanceof Failed) {
      rollBackIfDue(desiredRelease, target, rolloutListener);
    }
    return trouble;
  }

  /** An upgrade that keeps failing may be configured to go back to what worked; it stays failed. */
  private void rollBackIfDue(
      DesiredRelease desiredRelease, TargetCluster target, RolloutListener rolloutListener)
      throws InterruptedException {
    if (!settings.rollbackAfterFailures()) {
      return;
    }
    var history = target.readHistory(desiredRelease.workspace(), desiredRelease.release());
    var to = Remediation.ROLLBACK.rollbackTo(desiredRelease.failures() + 1, history);
    if (to.isPresent() && rollback(desiredRelease, target, history, to.getAsInt()) == null) {
      var from = history.latest().map(revision -> revision.version()).orElse(0);
      rolloutListener.onEvent(
          new RolloutEvent.RolledBack(desiredRelease.release(), from, to.getAsInt()));
    }
  }

  @Nullable RolloutResult unlockByRollback(
      DesiredRelease desiredRelease,
      TargetCluster target,
      ReleaseHistory history,
      int from,
      int to,
      RolloutListener rolloutListener)
      throws InterruptedException {
    rolloutListener.onStepStarted(
        Activity.UNLOCKING, desiredRelease.release(), desiredRelease.failures() > 0);
    var trouble = rollback(desiredRelease, target, history, to);
    if (trouble == null) {
      listener.unlocked(target.name(), RolloutMetricsListener.Unlock.ROLLBACK);
      rolloutListener.onEvent(
          new RolloutEvent.Unlocked(
              desiredRelease.release(), "revision " + from, "revision " + to));
    }
    return trouble;
  }

  @Nullable RolloutResult unlockByUninstall(
      DesiredRelease desiredRelease,
      TargetCluster target,
      int from,
      RolloutListener rolloutListener)
      throws InterruptedException {
    rolloutListener.onStepStarted(
        Activity.UNLOCKING, desiredRelease.release(), desiredRelease.failures() > 0);
    var trouble = uninstall(desiredRelease, target);
    if (trouble == null) {
      listener.unlocked(target.name(), RolloutMetricsListener.Unlock.UNINSTALL);
      rolloutListener.onEvent(
          new RolloutEvent.Unlocked(desiredRelease.release(), "revision " + from, "uninstalled"));
    }
    return trouble;
  }

  /** Removes what a failed first install left, so that the next one runs its hooks again. */
  @Nullable RolloutResult removeFailedInstall(
      DesiredRelease desiredRelease, TargetCluster target, RolloutListener rolloutListener)
      throws InterruptedException {
    rolloutListener.onStepStarted(
        Activity.INSTALLING, desiredRelease.release(), true); // The install itself is told.
    return uninstall(desiredRelease, target);
  }

  private @Nullable RolloutResult rollback(
      DesiredRelease desiredRelease, TargetCluster target, ReleaseHistory history, int to)
      throws InterruptedException {
    labelRollbackRevision(desiredRelease, target, history, to);
    return run(
        new HelmOperation.Rollback(target(desiredRelease, target), to),
        FailureReason.UPGRADE_FAILED);
  }

  /**
   * Helm takes no labels for a rollback: it copies those of the revision it goes back to. So that
   * one gets the number of the next revision, which will be ours. What somebody else made holds
   * nothing that a fingerprint of ours describes.
   */
  private void labelRollbackRevision(
      DesiredRelease desiredRelease, TargetCluster target, ReleaseHistory history, int to) {
    var labels = new HashMap<String, @Nullable String>();
    labels.put(Labels.REVISION, Integer.toString(history.next()));
    labels.put(Labels.INSTANCE, settings.instance());
    if (history.revisions().stream()
        .anyMatch(it -> it.version() == to && it.isForeign(desiredRelease.reportedRevision()))) {
      labels.put(Labels.FINGERPRINT, null);
    }
    target.patchLabels(desiredRelease.workspace(), desiredRelease.release(), to, labels);
  }

  private @Nullable RolloutResult uninstall(DesiredRelease desiredRelease, TargetCluster target)
      throws InterruptedException {
    return run(
        new HelmOperation.Uninstall(target(desiredRelease, target, settings.uninstallTimeout())),
        FailureReason.INSTALL_FAILED);
  }

  private @Nullable RolloutResult run(HelmOperation operation, FailureReason ifItFails)
      throws InterruptedException {
    return switch (helm.run(operation)) {
      case HelmResult.Done done -> null;
      case HelmResult.Failed(var message) -> new Failed(ifItFails, message);
      case HelmResult.TimedOut(var limit, var message) ->
          new Failed(ifItFails, "not done within %d s: %s".formatted(limit.toSeconds(), message));
      case HelmResult.Unusable(var reason) ->
          new Failed(FailureReason.HELM_CONFIG_INIT_FAILED, reason);
      case HelmResult.Unreachable(var message) -> new ClusterUnreachable(message);
      case HelmResult.Busy busy -> new Waiting(WaitReason.RELEASE_LOCKED, BUSY_DELAY);
      case HelmResult.Stopped stopped ->
          throw new InterruptedException("helm %s was stopped".formatted(operation.action()));
    };
  }

  /** Where a rollout stands that needs a chart which is not there. */
  RolloutResult chartUnavailable(ChartResult chart) {
    return switch (chart) {
      case ChartResult.Loading loading -> new Waiting(WaitReason.CHART_LOADING, null);
      case ChartResult.VersionInvalid(var version) ->
          new Failed(
              FailureReason.VERSION_INVALID,
              "chart version '%s' is not a version; set --chart-version to one like 1.2.3"
                  .formatted(version));
      case ChartResult.VersionNotFound(var message) ->
          new Failed(FailureReason.VERSION_NOT_FOUND, message);
      case ChartResult.DigestMismatch(var message) ->
          new Failed(FailureReason.CHART_DIGEST_MISMATCH, message);
      case ChartResult.NotLoaded(var message) -> {
        log.atInfo().log("chart not loaded; skipping helm action");
        yield new Failed(
            FailureReason.CHART_NOT_LOADED, "chart not loaded; repo unreachable? " + message);
      }
      case ChartResult.ToolUnusable(var message) ->
          new Failed(FailureReason.HELM_CONFIG_INIT_FAILED, message);
      case ChartResult.Loaded loaded ->
          throw new IllegalArgumentException("a loaded chart is no obstacle");
    };
  }

  private HelmOperation.ReleaseSpec content(
      DesiredRelease desiredRelease,
      ChartResult.Loaded chart,
      Fingerprint fingerprint,
      int revision) {
    return new HelmOperation.ReleaseSpec(
        chart.archive(),
        desiredRelease.base().applyTo(desiredRelease.values(), chart.valueKeys()),
        new ReleaseLabels(
            desiredRelease.owner().uid(), fingerprint, settings.instance(), revision));
  }

  private HelmOperation.Target target(DesiredRelease desiredRelease, TargetCluster target) {
    return target(desiredRelease, target, settings.helmTimeout());
  }

  private static HelmOperation.Target target(
      DesiredRelease desiredRelease, TargetCluster target, Duration timeout) {
    return new HelmOperation.Target(key(desiredRelease, target), target.kubeconfig(), timeout);
  }

  private static ReleaseKey key(DesiredRelease desiredRelease, TargetCluster target) {
    return new ReleaseKey(target.name(), desiredRelease.workspace(), desiredRelease.release());
  }
}
