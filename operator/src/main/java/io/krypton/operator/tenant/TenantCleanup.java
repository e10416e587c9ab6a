package io.krypton.operator.tenant;

import io.krypton.api.Annotations;
import io.krypton.api.Finalizers;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Disowning;
import io.krypton.operator.rollout.OwnerPatches;
import io.krypton.operator.rollout.Withdrawal;
import io.krypton.operator.rollout.Words;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Takes away what a Tenant put on its cluster; its finalizer falls only when that is done. */
public final class TenantCleanup {
  private static final Duration OUT_OF_REACH_PAUSE = Duration.ofSeconds(5);

  private final Withdrawal withdrawal;
  private final Clock clock;

  public TenantCleanup(Withdrawal withdrawal, Clock clock) {
    this.withdrawal = withdrawal;
    this.clock = clock;
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
    var since = Instant.parse(tenant.getMetadata().getDeletionTimestamp());
    return advance(record, cluster, since);
  }

  /** Another cluster is meant: what this one holds goes. */
  Outcome withdraw(TenantRecord record, TenantCluster cluster, String wanted)
      throws InterruptedException {
    if (record.tenant().getMetadata().getFinalizers().contains(Finalizers.TENANT)) {
      var outcome = advance(record, cluster, clock.instant());
      if (!(outcome instanceof Outcome.Done)) {
        return outcome;
      }
      OwnerPatches.annotate(
              cluster.target().client(),
              record.tenant(),
              Annotations.fingerprint(cluster.name()),
              null)
          .ifPresent(record::adopt);
    }
    if (record.isNewlyElsewhere()) {
      record.announce(Words.normal("ClusterRefSkipped", "spec.clusterRef names cluster " + wanted));
    }
    record.report(new TenantState.Elsewhere(wanted));
    return Outcome.done();
  }

  private Outcome advance(TenantRecord record, TenantCluster cluster, Instant since)
      throws InterruptedException {
    var tenant = record.tenant();
    var progress =
        withdrawal.advance(
            TenantCluster.ownerOf(tenant),
            releaseOf(record, cluster),
            TenantCluster.workspaceOf(tenant),
            cluster.target(),
            since,
            cluster.olderClaimant(tenant).isEmpty(),
            new TenantJournal(record));
    return switch (progress) {
      case Withdrawal.Progress.Gone gone -> finish(record, cluster);
      case Withdrawal.Progress.NamespaceTerminating(var lookAgain) ->
          Outcome.requeueAfter(lookAgain);
      case Withdrawal.Progress.Failed(var message) -> {
        record.report(new TenantState.Deleting(message));
        yield Outcome.retry("HelmUninstallFailed", message);
      }
      case Withdrawal.Progress.OutOfReach outOfReach -> Outcome.requeueAfter(OUT_OF_REACH_PAUSE);
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
