// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.api.Annotations;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.operator.release.NamespaceReconciler.OwnerLabels;
import io.krypton.operator.release.ReleaseUninstaller;
import io.krypton.operator.release.ReleaseUninstaller.Progress;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.RequeuePolicy;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.OwnerPatches;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState;
import io.krypton.operator.tenant.TenantEvents.TenantRolloutListener;
import java.time.Duration;

/** Takes away what a Tenant put on its cluster; its finalizer falls only when that is done. */
public final class TenantCleanup {
  /** An owner that waits for a Helm slot is enqueued when there is one; this is the fallback. */
  private static final Duration MAX_DELAY = Duration.ofMinutes(1);

  private final ReleaseUninstaller uninstaller;

  public TenantCleanup(ReleaseUninstaller releaseUninstaller) {
    this.uninstaller = releaseUninstaller;
  }

  void forgetCluster(String cluster) {
    uninstaller.forgetCluster(cluster);
  }

  /** The Tenant was deleted. */
  ReconcileResult delete(TenantStatusWriter writer, TenantCluster cluster, boolean orphan)
      throws InterruptedException {
    var tenant = writer.tenant();
    if (!tenant.getMetadata().getFinalizers().contains(Finalizers.TENANT)) {
      return ReconcileResult.done();
    }
    if (orphan) {
      OwnerLabels.remove(
          TenantCluster.ownerOf(tenant), TenantCluster.workspaceOf(tenant), cluster.target());
      writer
          .owner()
          .emit(
              new RolloutEventMessage(
                  EventReason.RELEASE_ORPHANED, releaseOf(writer, cluster).value()));
      return finish(writer, cluster);
    }
    if (writer.owner().annotation(Annotations.DELETING) == null) {
      OwnerPatches.annotate(cluster.target().client(), tenant, Annotations.DELETING, "true")
          .ifPresent(writer.owner()::refresh);
      writer
          .owner()
          .emit(
              new RolloutEventMessage(
                  EventReason.DELETE_STARTED, releaseOf(writer, cluster).value()));
    }
    if (!writer.reportsDeletion()) {
      writer.write(new TenantState.Deleting("release is being uninstalled"));
    }
    return advance(writer, cluster);
  }

  /** Takes off what this cluster's name left behind, and not the namespace. */
  ReconcileResult removeLeftover(TenantStatusWriter writer, TenantCluster cluster)
      throws InterruptedException {
    var tenant = writer.tenant();
    var progress =
        uninstaller.removeRelease(
            TenantCluster.ownerOf(writer.tenant()),
            releaseOf(writer, cluster),
            TenantCluster.workspaceOf(tenant),
            cluster.target(),
            new TenantRolloutListener(writer));
    var reconcileResult = resultOf(progress);
    if (reconcileResult instanceof ReconcileResult.Done) {
      OwnerPatches.annotate(
              cluster.target().client(), tenant, Annotations.fingerprint(cluster.name()), null)
          .ifPresent(writer.owner()::refresh);
    }
    return reconcileResult;
  }

  private ReconcileResult advance(TenantStatusWriter writer, TenantCluster cluster)
      throws InterruptedException {
    var tenant = writer.tenant();
    var progress =
        uninstaller.advance(
            TenantCluster.ownerOf(tenant),
            releaseOf(writer, cluster),
            TenantCluster.workspaceOf(tenant),
            cluster.target(),
            cluster.olderClaimant(tenant).isEmpty(),
            new TenantRolloutListener(writer));
    switch (progress) {
      case Progress.Blocked(RolloutResult.Failed(var reason, var message)) ->
          writer.write(new TenantState.Deleting(message));
      case Progress.NamespaceTerminating(var requeueAfter, var blockedBy) when blockedBy != null ->
          writer.write(new TenantState.Deleting(blockedBy));
      case Progress other -> {}
    }
    return progress instanceof Progress.Removed ? finish(writer, cluster) : resultOf(progress);
  }

  private static ReconcileResult resultOf(Progress progress) {
    return switch (progress) {
      case Progress.Removed removed -> ReconcileResult.done();
      case Progress.NamespaceTerminating(var requeueAfter, var blockedBy) ->
          ReconcileResult.requeueAfter(requeueAfter);
      case Progress.Blocked(var result) -> RequeuePolicy.after(result, MAX_DELAY);
    };
  }

  private static ReconcileResult finish(TenantStatusWriter writer, TenantCluster cluster) {
    OwnerPatches.removeFinalizer(cluster.target().client(), writer.tenant(), Finalizers.TENANT)
        .ifPresent(
            freed -> {
              writer.owner().refresh(freed);
              writer
                  .owner()
                  .emit(
                      new RolloutEventMessage(
                          EventReason.FINALIZER_REMOVED, releaseOf(writer, cluster).value()));
            });
    return ReconcileResult.done();
  }

  private static ReleaseName releaseOf(TenantStatusWriter writer, TenantCluster cluster) {
    return ReleaseName.ofTenant(writer.tenant().getMetadata().getName(), cluster.name());
  }
}
