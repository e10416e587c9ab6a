package io.krypton.api.deployment;

/** Condition reasons of KryptonDeployments, besides those of every rollout. */
public final class DeploymentReasons {
  public static final String ACCOUNT_MISSING = "AccountMissing";
  public static final String EDGE_UNAVAILABLE = "EdgeUnavailable";
  public static final String HEALTH_CHECK_FAILED = "HealthCheckFailed";
  public static final String HELM_FAILED = "HelmFailed";
  public static final String HELM_UNINSTALL_FAILED = "HelmUninstallFailed";

  private DeploymentReasons() {}
}
