// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.api.Labels;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.HelmActions.StepResult.OperationResult;
import io.krypton.operator.release.Rollout.DesiredRelease;
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
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseLabels;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmClient.AppliedRelease;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ChartArchive;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.HelmOperation.ReleaseSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Helm operations of a rollout, with the events and metrics that belong to them. */
public final class HelmActions {
  private static final Logger log = LoggerFactory.getLogger(HelmActions.class);

  private final HelmClient helm;
  private final RolloutSettings settings;
  private final RolloutMetricsListener metrics;
  private final Consumer<Waiter> enqueue;
  private final ChartScopeAnalyzer scopeAnalyzer = new ChartScopeAnalyzer();

  /**
   * @param enqueue called with an owner that was refused a Helm slot, when one is free for it
   */
  public HelmActions(
      HelmClient helm,
      RolloutSettings settings,
      RolloutMetricsListener metrics,
      Consumer<Waiter> enqueue) {
    this.helm = helm;
    this.settings = settings;
    this.metrics = metrics;
    this.enqueue = enqueue;
  }

  /** One release on one cluster, and who listens. */
  record Task(DesiredRelease desired, TargetCluster target, RolloutListener listener) {
    private ReleaseKey key() {
      return new ReleaseKey(target.name(), desired.workspace(), desired.release());
    }

    private OperationResult during(Activity activity, Step step) throws InterruptedException {
      return during(activity, desired.request().failures() > 0, step);
    }

    private OperationResult during(Activity activity, boolean retry, Step step)
        throws InterruptedException {
      listener.onStepStarted(activity, desired.release(), retry);
      try {
        return step.run();
      } finally {
        listener.onStepEnded();
      }
    }
  }

  /** What users see as one step. */
  private interface Step {
    OperationResult run() throws InterruptedException;
  }

  HelmReservation reservation(Task task) {
    var waiter = Waiter.of(task.desired().owner(), task.target().name());
    return new HelmReservation(helm, task.key(), () -> enqueue.accept(waiter));
  }

  /** Whether no Helm process of that operator instance is alive. */
  boolean isInstanceGone(String instance) {
    return helm.hasEnded(instance);
  }

  boolean isRunning(Task task) {
    return helm.isRunning(task.key());
  }

  /** Whether the next step may change objects that other releases could hold as well. */
  boolean needsExclusiveAccess(DesiredRelease desired, ChartResult.Loaded chart) {
    return isClusterScoped(chart) || settings.isRollbackDueAfter(desired.request().failures() + 1);
  }

  /** Whether a release of the chart may hold objects outside its namespace. */
  boolean isClusterScoped(ChartResult.Loaded chart) {
    return scopeAnalyzer.exceedsNamespace(chart.archive());
  }

  /** What a revision of this number gets installed. */
  ReleaseSpec spec(Task task, ChartResult.Loaded chart, Fingerprint fingerprint, int revision) {
    var desired = task.desired();
    return new ReleaseSpec(
        new ChartArchive(chart.archive(), chart.sha256()),
        desired.content().base().applyTo(desired.content().values(), chart.valueKeys()),
        new ReleaseLabels(
            desired.owner().uid(),
            fingerprint,
            settings.instance(),
            revision,
            desired.content().revision().label()));
  }

  OperationResult install(Task task, ReleaseSpec spec) throws InterruptedException {
    return install(task, new HelmOperation.Install(target(task), spec));
  }

  /** Installs where only the history of an uninstalled release is left. */
  OperationResult installOverHistory(Task task, ReleaseSpec spec) throws InterruptedException {
    return install(task, new HelmOperation.Upgrade(target(task), spec, true));
  }

  private OperationResult install(Task task, HelmOperation operation) throws InterruptedException {
    var result =
        task.during(Activity.INSTALLING, () -> run(operation, FailureReason.INSTALL_FAILED));
    if (result instanceof StepResult.Done) {
      log.atInfo().addKeyValue("release", task.desired().release()).log("helm install success");
      task.listener().onEvent(new RolloutEvent.Installed(task.desired().release()));
    }
    return result;
  }

  OperationResult upgrade(Task task, ReleaseSpec spec) throws InterruptedException {
    var operation = new HelmOperation.Upgrade(target(task), spec);
    var result =
        task.during(
            Activity.UPGRADING,
            () -> {
              var upgraded = run(operation, FailureReason.UPGRADE_FAILED);
              if (upgraded instanceof StepResult.Ended(Failed failed)) {
                rollBackIfDue(task);
              }
              return upgraded;
            });
    if (result instanceof StepResult.Done) {
      log.atInfo().addKeyValue("release", task.desired().release()).log("helm upgrade success");
      task.listener().onEvent(new RolloutEvent.Upgraded(task.desired().release()));
    }
    return result;
  }

  /** An upgrade that keeps failing may be configured to go back; the upgrade stays failed. */
  private void rollBackIfDue(Task task) throws InterruptedException {
    var desired = task.desired();
    var failures = desired.request().failures() + 1;
    if (!settings.isRollbackDueAfter(failures)) {
      return;
    }
    var history = task.target().readHistory(desired.workspace(), desired.release());
    var to = settings.rollbackTo(failures, history);
    if (to.isPresent() && rollback(task, history, to.getAsInt()) instanceof StepResult.Done) {
      var from = history.latest().map(Revision::version).orElse(0);
      task.listener().onEvent(new RolloutEvent.RolledBack(desired.release(), from, to.getAsInt()));
    }
  }

  OperationResult unlockByRollback(Task task, ReleaseHistory history, int from, int to)
      throws InterruptedException {
    var result = task.during(Activity.UNLOCKING, () -> rollback(task, history, to));
    if (result instanceof StepResult.Done) {
      unlocked(task, RolloutMetricsListener.Unlock.ROLLBACK, from, "revision " + to);
    }
    return result;
  }

  OperationResult unlockByUninstall(Task task, int from) throws InterruptedException {
    var result = task.during(Activity.UNLOCKING, () -> uninstall(task));
    if (result instanceof StepResult.Done) {
      unlocked(task, RolloutMetricsListener.Unlock.UNINSTALL, from, "uninstalled");
    }
    return result;
  }

  private void unlocked(Task task, RolloutMetricsListener.Unlock method, int from, String to) {
    metrics.unlocked(task.target().name(), method);
    task.listener()
        .onEvent(new RolloutEvent.Unlocked(task.desired().release(), "revision " + from, to));
  }

  /** Removes what a failed first install left, so that the next one runs its hooks again. */
  OperationResult removeFailedInstall(Task task) throws InterruptedException {
    // As a retry: the install that follows is announced itself.
    return task.during(Activity.INSTALLING, true, () -> uninstall(task));
  }

  private OperationResult rollback(Task task, ReleaseHistory history, int to)
      throws InterruptedException {
    labelRollbackRevision(task, history, to);
    return run(new HelmOperation.Rollback(target(task), to), FailureReason.UPGRADE_FAILED);
  }

  /**
   * Helm takes no labels for a rollback: it copies those of the revision it goes back to. So that
   * one gets the number of the next revision, which will be ours. A revision that somebody else
   * made loses its fingerprint, which does not describe it.
   */
  private void labelRollbackRevision(Task task, ReleaseHistory history, int to) {
    var desired = task.desired();
    var labels = new HashMap<String, @Nullable String>();
    labels.put(Labels.REVISION, Integer.toString(history.next()));
    labels.put(Labels.INSTANCE, settings.instance());
    if (history.revisions().stream()
        .anyMatch(it -> it.version() == to && it.isForeign(desired.last().revision()))) {
      labels.put(Labels.FINGERPRINT, null);
    }
    task.target().patchLabels(desired.workspace(), desired.release(), to, labels);
  }

  private OperationResult uninstall(Task task) throws InterruptedException {
    return run(
        new HelmOperation.Uninstall(target(task, settings.uninstallTimeout())),
        FailureReason.INSTALL_FAILED);
  }

  private OperationResult run(HelmOperation operation, FailureReason onFailure)
      throws InterruptedException {
    return StepResult.of(helm.run(operation), onFailure);
  }

  private HelmOperation.Target target(Task task) {
    return target(task, settings.helmTimeout());
  }

  private static HelmOperation.Target target(Task task, Duration timeout) {
    return new HelmOperation.Target(task.key(), task.target().kubeconfig(), timeout);
  }

  /**
   * The Helm slot of one run. It is reserved before the first request or event for a Helm run, so
   * that a run which is refused costs nothing; its owner is enqueued when a slot is free.
   */
  static final class HelmReservation implements AutoCloseable {
    private final HelmClient helm;
    private final ReleaseKey release;
    private final Runnable onAvailable;
    private boolean refused;

    /**
     * @param onAvailable run after a refusal, when there is a slot
     */
    HelmReservation(HelmClient helm, ReleaseKey release, Runnable onAvailable) {
      this.helm = helm;
      this.release = release;
      this.onAvailable = onAvailable;
    }

    /** Never blocks. */
    boolean tryReserve() {
      refused = !helm.reserve(release, onAvailable);
      return !refused;
    }

    /**
     * Also reserves the API server for this release alone; never blocks. A refusal frees the slot.
     */
    boolean tryReserveExclusive(String server) {
      refused = !helm.reserveExclusive(release, server, onAvailable);
      return !refused;
    }

    /** Helm is not needed any more; after a refusal the place in the queue stays. */
    @Override
    public void close() {
      if (!refused) {
        helm.releaseReservation(release);
      }
    }
  }

  /** How one step of a run ended: the run goes on after the first two, the third is its result. */
  sealed interface StepResult {

    /** Nothing was done: read the stored revisions and decide again. */
    record DecideAgain() implements StepResult {}

    /** What a Helm operation ends with. */
    sealed interface OperationResult extends StepResult {}

    /**
     * The operation succeeded; the stored revisions show what it changed.
     *
     * @param release what was stored, if Helm has told; null does not mean that there is none
     */
    record Done(@Nullable AppliedRelease release) implements OperationResult {}

    record Ended(RolloutResult result) implements OperationResult {}

    /**
     * The one translation of what Helm answers.
     *
     * @param onFailure the reason of a failure that Helm itself reports
     * @throws InterruptedException when Helm was stopped: nobody waits for a result
     */
    static OperationResult of(HelmResult helmResult, FailureReason onFailure)
        throws InterruptedException {
      return switch (helmResult) {
        case HelmResult.Done(var release) -> new Done(release);
        case HelmResult.Failed(var message) -> new Ended(new Failed(onFailure, message));
        case HelmResult.TimedOut(var limit, var message) ->
            new Ended(
                new Failed(
                    onFailure, "not done within %d s: %s".formatted(limit.toSeconds(), message)));
        case HelmResult.Unusable(var reason) ->
            new Ended(new Failed(FailureReason.HELM_CONFIG_INIT_FAILED, reason));
        case HelmResult.Unreachable(var message) -> new Ended(new ClusterUnreachable(message));
        case HelmResult.Busy busy ->
            new Ended(new Waiting(WaitReason.RELEASE_LOCKED, Duration.ofSeconds(5)));
        case HelmResult.Stopped stopped -> throw new InterruptedException("helm was stopped");
      };
    }
  }
}
