package io.krypton.operator.tenant;

import io.krypton.api.Annotations;
import io.krypton.api.Finalizers;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Disowning;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.Withdrawal;
import io.krypton.operator.rollout.Words;
import java.time.Duration;

/** Takes away what a Tenant put on its cluster; its finalizer falls only when that is done. */
public final class TenantCleanup {
  private static final Duration OUT_OF_REACH_PAUSE = Duration.ofSeconds(5);

  /** Whoever waits for a turn is called; this is for a call that was lost. */
  private static final Duration AT_THE_LATEST = Duration.ofMinutes(1);

  private final Withdrawal withdrawal;

  public TenantCleanup(Withdrawal withdrawal) {
    this.withdrawal = withdrawal;
  }

  /** The Tenant was deleted. */
  Outcome delete(TenantRecord record, TenantCluster cluster, boolean orphan)
      throws InterruptedException {
    var tenant = record.tenant();
    if (!tenant.getMetadata().getFinalizers().contains(Finalizers.TENANT)) {
      return Outcome.done();
    }
    if (orphan) {
      Disowning.of(
          TenantCluster.ownerOf(tenant), TenantCluster.workspaceOf(tenant), cluster.target());
      record.announce(Words.normal("ReleaseOrphaned", releaseOf(record, cluster).value()));
      return finish(record, cluster);
    }
    if (record.annotation(Annotations.DELETING) == null) {
      OwnerPatches.annotate(cluster.target().client(), tenant, Annotations.DELETING, "true")
          .ifPresent(record::adopt);
      record.announce(Words.normal("DeleteStarted", releaseOf(record, cluster).value()));
    }
    if (!record.isSaidToBeDeleted()) {
      record.report(new TenantState.Deleting("release is being uninstalled"));
    }
    return advance(record, cluster);
  }

  /** Takes off what this cluster's name left behind, and not the namespace. */
  Outcome removeLeftover(TenantRecord record, TenantCluster cluster) throws InterruptedException {
    var tenant = record.tenant();
    var progress =
        withdrawal.removeRelease(
            TenantCluster.ownerOf(record.tenant()),
            releaseOf(record, cluster),
            TenantCluster.workspaceOf(tenant),
            cluster.target(),
            new TenantJournal(record));
    var outcome = outcomeOf(progress);
    if (outcome instanceof Outcome.Done) {
      OwnerPatches.annotate(
              cluster.target().client(), tenant, Annotations.fingerprint(cluster.name()), null)
          .ifPresent(record::adopt);
    }
    return outcome;
  }

  private Outcome advance(TenantRecord record, TenantCluster cluster) throws InterruptedException {
    var tenant = record.tenant();
    var progress =
        withdrawal.advance(
            TenantCluster.ownerOf(tenant),
            releaseOf(record, cluster),
            TenantCluster.workspaceOf(tenant),
            cluster.target(),
            cluster.olderClaimant(tenant).isEmpty(),
            new TenantJournal(record));
    switch (progress) {
      case Withdrawal.Progress.Failed(var message) ->
          record.report(new TenantState.Deleting(message));
      case Withdrawal.Progress.NamespaceTerminating(var lookAgain, var heldBy)
          when heldBy != null ->
          record.report(new TenantState.Deleting(heldBy));
      case Withdrawal.Progress other -> {}
    }
    return progress instanceof Withdrawal.Progress.Gone
        ? finish(record, cluster)
        : outcomeOf(progress);
  }

  private static Outcome outcomeOf(Withdrawal.Progress progress) {
    return switch (progress) {
      case Withdrawal.Progress.Gone gone -> Outcome.done();
      case Withdrawal.Progress.NamespaceTerminating(var lookAgain, var heldBy) ->
          Outcome.requeueAfter(lookAgain);
      case Withdrawal.Progress.Failed(var message) -> Outcome.retry("HelmUninstallFailed", message);
      case Withdrawal.Progress.WaitingForTurn waiting -> Outcome.postpone(AT_THE_LATEST);
      case Withdrawal.Progress.OutOfReach outOfReach -> Outcome.postpone(OUT_OF_REACH_PAUSE);
    };
  }

  private static Outcome finish(TenantRecord record, TenantCluster cluster) {
    OwnerPatches.removeFinalizer(cluster.target().client(), record.tenant(), Finalizers.TENANT)
        .ifPresent(
            freed -> {
              record.adopt(freed);
              record.announce(Words.normal("FinalizerRemoved", releaseOf(record, cluster).value()));
            });
    return Outcome.done();
  }

  private static ReleaseName releaseOf(TenantRecord record, TenantCluster cluster) {
    return ReleaseName.ofTenant(record.tenant().getMetadata().getName(), cluster.name());
  }
}
