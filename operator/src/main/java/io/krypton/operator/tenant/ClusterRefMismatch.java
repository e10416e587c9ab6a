// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.api.condition.ConditionList;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.operator.release.MessageText;
import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.tenant.TenantConditionBuilder.TenantState;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A Tenant whose {@code spec.clusterRef} names another cluster is skipped, and nothing is removed
 * because of it: the name may be a typo, or another name of this very server whose release this
 * would be. Only what this cluster's own name has left behind goes, and only once the release of
 * the other name stands on this server.
 */
final class ClusterRefMismatch {
  private final Function<String, @Nullable TenantCluster> engaged;
  private final TenantCleanup cleanup;
  private final Duration checkInterval;

  /**
   * @param engaged an engaged cluster by its name
   */
  ClusterRefMismatch(
      Function<String, @Nullable TenantCluster> engaged,
      TenantCleanup cleanup,
      Duration checkInterval) {
    this.engaged = engaged;
    this.cleanup = cleanup;
    this.checkInterval = checkInterval;
  }

  /** How the cluster that is named stands to this one. */
  enum NamedCluster {
    /** Not engaged now, and it has no conditions in this Tenant: nothing is known of it. */
    UNKNOWN,
    /** Not engaged now, but it has conditions in this Tenant, so that it leads here too. */
    DISENGAGED,
    ANOTHER_SERVER,
    SAME_SERVER,
    /** And the Tenant's release of that name is deployed and ready. */
    READY_ON_SAME_SERVER;

    /** Whether that name reports the status of the Tenant, so that this one does not. */
    boolean reportsStatus() {
      return this == DISENGAGED || this == SAME_SERVER || this == READY_ON_SAME_SERVER;
    }
  }

  ReconcileResult reconcile(TenantStatusWriter writer, TenantCluster cluster, String wanted)
      throws InterruptedException {
    var tenant = writer.tenant();
    var namedCluster = classify(writer, cluster, wanted);
    var leftover =
        isOwnedBy(
            tenant, cluster.target().cachedHistory(workspace(tenant), ownRelease(tenant, cluster)));
    if (leftover
        && namedCluster == NamedCluster.READY_ON_SAME_SERVER
        && isConfirmed(tenant, cluster, wanted)) {
      var reconcileResult = cleanup.removeLeftover(writer, cluster);
      if (!(reconcileResult instanceof ReconcileResult.Done)) {
        return reconcileResult;
      }
      leftover = false;
    }
    report(writer, cluster, wanted, namedCluster, leftover);
    // No watch enqueues this Tenant when the named cluster is engaged without a change of it.
    return leftover ? ReconcileResult.requeueAfter(checkInterval) : ReconcileResult.done();
  }

  private NamedCluster classify(TenantStatusWriter writer, TenantCluster cluster, String wanted) {
    var other = engaged.apply(wanted);
    if (other == null) {
      return writer.hasConditionsOf(wanted) ? NamedCluster.DISENGAGED : NamedCluster.UNKNOWN;
    }
    if (!cluster.target().isSameServerAs(other.target())) {
      return NamedCluster.ANOTHER_SERVER;
    }
    var conditions = writer.tenant().getStatus().conditions();
    return ConditionList.isTrue(conditions, TenantConditionTypes.clusterReady(wanted))
            && !ConditionList.isTrue(conditions, TenantConditionTypes.clusterError(wanted))
        ? NamedCluster.READY_ON_SAME_SERVER
        : NamedCluster.SAME_SERVER;
  }

  /**
   * Asked from this server, not from a cache: both releases are here, and both are this Tenant's.
   */
  private static boolean isConfirmed(Tenant tenant, TenantCluster cluster, String wanted)
      throws InterruptedException {
    var target = cluster.target();
    var theirs = ReleaseName.ofTenant(tenant.getMetadata().getName(), wanted);
    return isDeployed(tenant, target.readHistory(workspace(tenant), theirs))
        && isOwnedBy(tenant, target.readHistory(workspace(tenant), ownRelease(tenant, cluster)));
  }

  private static boolean isOwnedBy(Tenant tenant, ReleaseHistory history) {
    return history
        .latest()
        .filter(latest -> tenant.getMetadata().getUid().equals(latest.ownerUid()))
        .isPresent();
  }

  private static boolean isDeployed(Tenant tenant, ReleaseHistory history) {
    return isOwnedBy(tenant, history)
        && history.latest().filter(it -> it.status() == ReleaseStatus.DEPLOYED).isPresent();
  }

  private static void report(
      TenantStatusWriter writer,
      TenantCluster cluster,
      String wanted,
      NamedCluster namedCluster,
      boolean leftover) {
    var tenant = writer.tenant();
    if (namedCluster.reportsStatus() && !leftover && !writer.hasConditionsOf(cluster.name())) {
      return;
    }
    var message =
        namedCluster.reportsStatus()
            ? handingOver(wanted, ownRelease(tenant, cluster), workspace(tenant))
            : skipped(wanted, releasesOf(tenant, cluster), workspace(tenant));
    writer.write(new TenantState.Skipped(message, namedCluster.reportsStatus(), leftover));
  }

  /**
   * The same text under every name of the server: two names that said different things would
   * overwrite each other for ever.
   */
  static String skipped(String wanted, List<String> releases, String workspace) {
    var said = "Skipped: spec.clusterRef names cluster %s, which is not this one".formatted(wanted);
    return releases.isEmpty()
        ? said
        : said
            + "; what is in namespace %s stays: %s. To remove it, delete this Tenant, or: %s"
                .formatted(
                    workspace,
                    MessageText.list(releases),
                    uninstall(releases.getFirst(), workspace));
  }

  static String handingOver(String wanted, ReleaseName own, String workspace) {
    return ("Skipped: spec.clusterRef names cluster %s, another name of this server; release %s"
            + " stays in namespace %s until that cluster is engaged and its own release is"
            + " Ready. To remove it now: %s")
        .formatted(wanted, own, workspace, uninstall(own.value(), workspace));
  }

  private static String uninstall(String release, String workspace) {
    return "helm uninstall %s --namespace %s".formatted(release, workspace);
  }

  /** Those with its UID, and those without any that bear its name, as the original made them. */
  private static List<String> releasesOf(Tenant tenant, TenantCluster cluster) {
    return cluster.target().cachedReleases(workspace(tenant)).entrySet().stream()
        .filter(
            release ->
                isOwnedBy(tenant, release.getValue())
                    || (hasNoOwner(release.getValue())
                        && ReleaseName.isOfTenant(
                            release.getKey(), tenant.getMetadata().getName())))
        .map(release -> release.getKey())
        .toList();
  }

  private static boolean hasNoOwner(ReleaseHistory history) {
    return history.latest().filter(latest -> latest.ownerUid() == null).isPresent();
  }

  private static ReleaseName ownRelease(Tenant tenant, TenantCluster cluster) {
    return ReleaseName.ofTenant(tenant.getMetadata().getName(), cluster.name());
  }

  private static String workspace(Tenant tenant) {
    return TenantCluster.workspaceOf(tenant);
  }
}
