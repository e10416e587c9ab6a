package io.krypton.api.tenant;

/** Condition types a Tenant has for each cluster, besides those of every rollout. */
public final class TenantConditions {
  public static final String CLUSTER_READY = "ClusterReady/";
  public static final String CLUSTER_ERROR = "ClusterError/";
  public static final String CLUSTER_PROGRESS = "ClusterProgress/";

  private TenantConditions() {}

  public static String clusterReady(String cluster) {
    return CLUSTER_READY + cluster;
  }

  public static String clusterError(String cluster) {
    return CLUSTER_ERROR + cluster;
  }

  public static String clusterProgress(String cluster) {
    return CLUSTER_PROGRESS + cluster;
  }
}
