// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.OwnerLookup;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.HelmActions.HelmReservation;
import io.krypton.operator.release.HelmActions.Task;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RolloutListener.RolloutMetricsListener;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.decide.ReleaseDecider.LockPolicy;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Brings one release to what its owner wants: namespace, decision by the stored revisions, at most
 * a few Helm operations, and an inspection of the result. A release that is up to date costs no
 * request: everything is answered by caches.
 */
public final class Rollout {
  private final Engine engine;
  private final NamespaceReconciler namespaceReconciler;

  /** What all runs share. */
  record Engine(
      ChartAccess charts,
      OwnerLookup owners,
      ReleaseInspector inspector,
      HelmActions actions,
      ReadinessTracker readiness,
      DriftRepairLimiter driftRepairs,
      ObservationTimes pending,
      RolloutMetricsListener metrics,
      RolloutSettings settings,
      LockPolicy locks,
      Clock clock) {}

  public Rollout(
      ChartAccess charts,
      OwnerLookup owners,
      ReleaseInspector releaseInspector,
      HelmActions actions,
      RolloutSettings settings,
      Clock clock,
      RolloutMetricsListener metrics) {
    this.namespaceReconciler = new NamespaceReconciler(owners, settings.adoptAnyNamespace());
    this.engine =
        new Engine(
            charts,
            owners,
            releaseInspector,
            actions,
            new ReadinessTracker(settings.readyTimeout(), clock),
            new DriftRepairLimiter(clock),
            new ObservationTimes(clock),
            metrics,
            settings,
            new LockPolicy(settings.instance(), settings.helmTimeout(), actions::isInstanceGone),
            clock);
  }

  public RolloutResult run(DesiredRelease desired, TargetCluster target, RolloutListener listener)
      throws InterruptedException {
    var task = new Task(desired, target, listener);
    var firstUse = target.cachedHistory(desired.workspace(), desired.release()).latest().isEmpty();
    try (var reservation = engine.actions().reservation(task)) {
      return switch (namespaceReconciler.prepare(
          desired, target, firstUse, reservation::tryReserve, listener)) {
        case NamespaceReconciler.Prepared.Usable(var isNew) -> run(task, reservation, isNew);
        case NamespaceReconciler.Prepared.Terminating terminating ->
            new Waiting(WaitReason.WORKSPACE_TERMINATING, null);
        case NamespaceReconciler.Prepared.NotYet notYet -> new RolloutResult.WaitingForHelmSlot();
        case NamespaceReconciler.Prepared.Refused(var failureReason, var message) ->
            new Failed(failureReason, message);
      };
    }
  }

  private RolloutResult run(Task task, HelmReservation reservation, boolean inNewNamespace)
      throws InterruptedException {
    var desired = task.desired();
    var cluster = task.target().name();
    var waiter = Waiter.of(desired.owner(), cluster);
    var chart = desired.content().revision().chart();
    var request = desired.request().requestedAt();
    return switch (engine.charts().version(chart, waiter, request)) {
      case ChartAccess.VersionLookup.NotLoaded(var why) -> ChartAccess.unavailable(why);
      case ChartAccess.VersionLookup.Found(var version) -> {
        var key = key(cluster, desired.workspace(), desired.release());
        yield new RolloutRun(engine, task, version, reservation, key).execute(inNewNamespace);
      }
    };
  }

  /** The owner wants nothing here any more. */
  public void forget(String cluster, String workspace, ReleaseName release) {
    engine.readiness().forget(cluster, workspace, release);
    engine.driftRepairs().forget(key(cluster, workspace, release));
    engine.pending().forget(key(cluster, workspace, release));
  }

  /** The owner itself is gone, with or without cleanup. */
  public void forget(Owner owner, String cluster, String workspace, ReleaseName release) {
    forget(cluster, workspace, release);
    engine.charts().forget(Waiter.of(owner, cluster));
  }

  /** Nothing is rolled out on this cluster any more. */
  public void forgetCluster(String cluster) {
    engine.readiness().forgetCluster(cluster);
    engine.driftRepairs().forgetCluster(cluster);
    engine.pending().forgetIf(key -> ReadinessTracker.isOn(cluster, key));
  }

  private static String key(String cluster, String workspace, ReleaseName release) {
    return cluster + "/" + workspace + "/" + release;
  }

  /** What an owner wants on one cluster. */
  public record DesiredRelease(
      Owner owner,
      ReleaseName release,
      String workspace,
      Content content,
      LastSuccess last,
      RunRequest request) {

    /**
     * What the release is made of.
     *
     * @param values all layers merged, those of the revision at the bottom
     * @param base what the chart gets beneath them, if it knows the key
     */
    public record Content(ReleaseRevision revision, ChartValues values, DefaultValue base) {}

    /**
     * What the owner remembers of the last success.
     *
     * @param fingerprint that its annotation holds
     * @param revision that its status names, zero if none
     */
    public record LastSuccess(@Nullable String fingerprint, int revision) {
      public static final LastSuccess NONE = new LastSuccess(null, 0);
    }

    /**
     * Why there is a run.
     *
     * @param forced one Helm run is asked for even if nothing changed
     * @param requested the owner changed, or a reconcile was requested
     * @param requestedAt when a user asked for a run that is not in the status yet
     * @param failures how often in a row it has failed before
     */
    public record RunRequest(
        boolean forced, boolean requested, @Nullable String requestedAt, int failures) {}
  }
}
