package io.krypton.api.tenant;

/** Condition reasons of Tenants, besides those of every rollout. */
public final class TenantReasons {
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
