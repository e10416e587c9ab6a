package io.krypton.api.tenant;

/** Condition types a Tenant has for each cluster, besides those of every rollout. */
public final class TenantConditions {
  public static final String CLUSTER_READY = "ClusterReady/";
  public static final String CLUSTER_ERROR = "ClusterError/";
  public static final String CLUSTER_PROGRESS = "ClusterProgress/";

  public static final String CLUSTER_DRIFT_CHECKED = "ClusterDriftChecked/";

  private TenantConditions() {}

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
}
