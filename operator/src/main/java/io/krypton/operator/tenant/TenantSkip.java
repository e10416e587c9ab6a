package io.krypton.operator.tenant;

import io.krypton.api.condition.Conditions;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditions;
import io.krypton.multicluster.controller.Outcome;
import io.krypton.operator.manifest.Names;
import io.krypton.operator.release.ReleaseHistory;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.release.ReleaseStatus;
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
final class TenantSkip {
  private final Function<String, @Nullable TenantCluster> engaged;
  private final TenantCleanup cleanup;
  private final Duration checkInterval;

  /**
   * @param engaged an engaged cluster by its name
   */
  TenantSkip(
      Function<String, @Nullable TenantCluster> engaged,
      TenantCleanup cleanup,
      Duration checkInterval) {
    this.engaged = engaged;
    this.cleanup = cleanup;
    this.checkInterval = checkInterval;
  }

  /** How the cluster that is named stands to this one. */
  enum Named {
    /** Not engaged now, and it has never told of this Tenant: nothing is known of it. */
    UNKNOWN,
    /** Not engaged now, but it has told of this Tenant, so that it leads here too. */
    AWAY,
    ANOTHER_SERVER,
    SAME_SERVER,
    /** And the Tenant's release of that name is deployed and ready. */
    READY_ON_SAME_SERVER;

    /** Whether the Tenant is told of under that name, so that this one is silent. */
    boolean speaks() {
      return this == AWAY || this == SAME_SERVER || this == READY_ON_SAME_SERVER;
    }
  }

  Outcome run(TenantRecord record, TenantCluster cluster, String wanted)
      throws InterruptedException {
    var tenant = record.tenant();
    var named = named(record, cluster, wanted);
    var leftover =
        isOf(tenant, cluster.target().knownHistory(workspace(tenant), own(tenant, cluster)));
    if (leftover && named == Named.READY_ON_SAME_SERVER && isConfirmed(tenant, cluster, wanted)) {
      var outcome = cleanup.removeLeftover(record, cluster);
      if (!(outcome instanceof Outcome.Done)) {
        return outcome;
      }
      leftover = false;
    }
    tell(record, cluster, wanted, named, leftover);
    // Of a cluster that gets engaged without news of this Tenant nobody would tell us.
    return leftover ? Outcome.requeueAfter(checkInterval) : Outcome.done();
  }

  private Named named(TenantRecord record, TenantCluster cluster, String wanted) {
    var other = engaged.apply(wanted);
    if (other == null) {
      return record.tellsOf(wanted) ? Named.AWAY : Named.UNKNOWN;
    }
    if (!cluster.target().isSameServerAs(other.target())) {
      return Named.ANOTHER_SERVER;
    }
    var conditions = record.tenant().getStatus().conditions();
    return Conditions.isTrue(conditions, TenantConditions.clusterReady(wanted))
            && !Conditions.isTrue(conditions, TenantConditions.clusterError(wanted))
        ? Named.READY_ON_SAME_SERVER
        : Named.SAME_SERVER;
  }

  /**
   * Asked from this server, not from a cache: both releases are here, and both are this Tenant's.
   */
  private static boolean isConfirmed(Tenant tenant, TenantCluster cluster, String wanted)
      throws InterruptedException {
    var target = cluster.target();
    var theirs = ReleaseName.ofTenant(tenant.getMetadata().getName(), wanted);
    return isDeployed(tenant, target.readHistory(workspace(tenant), theirs))
        && isOf(tenant, target.readHistory(workspace(tenant), own(tenant, cluster)));
  }

  private static boolean isOf(Tenant tenant, ReleaseHistory history) {
    return history
        .latest()
        .filter(latest -> tenant.getMetadata().getUid().equals(latest.ownerUid()))
        .isPresent();
  }

  private static boolean isDeployed(Tenant tenant, ReleaseHistory history) {
    return isOf(tenant, history)
        && history.latest().filter(it -> it.status() == ReleaseStatus.DEPLOYED).isPresent();
  }

  private static void tell(
      TenantRecord record, TenantCluster cluster, String wanted, Named named, boolean leftover) {
    var tenant = record.tenant();
    if (named.speaks() && !leftover && !record.tellsOf(cluster.name())) {
      return;
    }
    var message =
        named.speaks()
            ? handingOver(wanted, own(tenant, cluster), workspace(tenant))
            : skipped(wanted, releasesOf(tenant, cluster), workspace(tenant));
    record.report(new TenantState.Skipped(message, named.speaks(), leftover));
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
                    workspace, Names.list(releases), uninstall(releases.getFirst(), workspace));
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
    return cluster.target().knownReleases(workspace(tenant)).entrySet().stream()
        .filter(
            release ->
                isOf(tenant, release.getValue())
                    || (isNobodys(release.getValue())
                        && ReleaseName.isOfTenant(
                            release.getKey(), tenant.getMetadata().getName())))
        .map(release -> release.getKey())
        .toList();
  }

  private static boolean isNobodys(ReleaseHistory history) {
    return history.latest().filter(latest -> latest.ownerUid() == null).isPresent();
  }

  private static ReleaseName own(Tenant tenant, TenantCluster cluster) {
    return ReleaseName.ofTenant(tenant.getMetadata().getName(), cluster.name());
  }

  private static String workspace(Tenant tenant) {
    return TenantCluster.workspaceOf(tenant);
  }
}
