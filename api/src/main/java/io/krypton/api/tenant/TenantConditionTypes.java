// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenant;

/** Condition types a Tenant has for each cluster, besides those of every rollout. */
public final class TenantConditionTypes {
  public static final String CLUSTER_READY = "ClusterReady/";
  public static final String CLUSTER_ERROR = "ClusterError/";
  public static final String CLUSTER_PROGRESS = "ClusterProgress/";

  public static final String CLUSTER_DRIFT_CHECKED = "ClusterDriftChecked/";

  private TenantConditionTypes() {}

  /** The cluster that a condition is about; empty if it is about the Tenant as a whole. */
  public static String cluster(String type) {
    var slash = type.indexOf('/');
    return slash < 0 ? "" : type.substring(slash + 1);
  }

  public static String clusterReady(String cluster) {
    return CLUSTER_READY + cluster;
  }

  public static String clusterError(String cluster) {
    return CLUSTER_ERROR + cluster;
  }

  public static String clusterProgress(String cluster) {
    return CLUSTER_PROGRESS + cluster;
  }

  /** Present once it was False: whether all objects of the release could be compared. */
  public static String clusterDriftChecked(String cluster) {
    return CLUSTER_DRIFT_CHECKED + cluster;
  }

  /** Condition reasons of Tenants, besides those of every rollout. */
  public static final class TenantReasons {
    // ClusterReady
    public static final String INSTALLED = "Installed";
    public static final String UPGRADED = "Upgraded";
    public static final String NO_CHANGE = "NoChange";

    // ClusterError, fatal
    public static final String INSTALL_FAILED = "InstallFailed";
    public static final String UPGRADE_FAILED = "UpgradeFailed";
    public static final String HELM_CONFIG_INIT_FAILED = "HelmConfigInitFailed";
    public static final String WORKSPACE_CREATE_FAILED = "WorkspaceCreateFailed";
    public static final String CHART_DIGEST_MISMATCH = "ChartDigestMismatch";

    // ClusterError, not fatal
    public static final String CHART_NOT_LOADED = "ChartNotLoaded";
    public static final String VERSION_NOT_FOUND = "VersionNotFound";
    public static final String VERSION_INVALID = "VersionInvalid";

    /** ClusterError is False again. */
    public static final String RESOLVED = "Resolved";

    // ClusterProgress, besides InstallFailed, UpgradeFailed and Deleting
    public static final String INSTALLING = "Installing";
    public static final String UPGRADING = "Upgrading";
    public static final String UNLOCKING = "Unlocking";
    public static final String INSTALL_COMPLETE = "InstallComplete";
    public static final String UPGRADE_COMPLETE = "UpgradeComplete";

    /** Ready is False because spec.clusterRef names another cluster. */
    public static final String CLUSTER_REF_MISMATCH = "ClusterRefMismatch";

    private TenantReasons() {}
  }
}
