// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import java.util.List;
import java.util.Set;

/**
 * Every metric of the operator, in the order of the reference page that is generated from this
 * list. {@link Metrics} takes no name but these, so that name, help, type and labels are declared
 * once.
 */
public enum OperatorMetric {
  // Clusters
  CLUSTERS("krypton_clusters", Kind.GAUGE, "Number of clusters by state", "state"),
  CLUSTER_UP(
      "krypton_cluster_up",
      Kind.GAUGE,
      "1 while a cluster is engaged and reachable, else 0",
      "cluster"),
  CLUSTER_CREDENTIALS(
      "krypton_cluster_credentials_expire_seconds",
      Kind.GAUGE,
      "Seconds until the credentials of a cluster expire",
      "cluster"),
  CLUSTER_ENGAGEMENTS(
      "krypton_cluster_engagements",
      Kind.COUNTER,
      "Total attempts to engage a cluster by cluster and result",
      "cluster",
      "result"),
  CLUSTER_ENGAGE(
      "krypton_cluster_engage",
      Kind.TIMER,
      "Time from a kubeconfig Secret to an engaged cluster",
      "result"),
  API_REQUESTS(
      "krypton_api_requests",
      Kind.COUNTER,
      "Total API requests by cluster, verb and status code; code 0 means no response",
      "cluster",
      "verb",
      "code"),
  API_CONNECTED(
      "krypton_api_connected",
      Kind.GAUGE,
      "1 while the API server of the home cluster is reachable, else 0"),

  // The process
  LEADER("krypton_leader", Kind.GAUGE, "1 while this process is the leader, else 0"),
  LEASE_LOST("krypton_lease_lost", Kind.COUNTER, "Total leader leases lost by this process"),
  QUEUE_DEPTH(
      "krypton_queue_depth",
      Kind.GAUGE,
      "Keys in the work queue by controller: ready, parked and delayed",
      "controller"),
  QUEUE_OLDEST(
      "krypton_queue_oldest_seconds",
      Kind.GAUGE,
      "Seconds that the oldest ready key has been waiting, by controller",
      "controller"),
  RECONCILES(
      "krypton_reconcile",
      Kind.COUNTER,
      "Total reconciliations by controller, cluster and result",
      "controller",
      "cluster",
      "result"),
  RECONCILE_TIME(
      "krypton_reconcile", Kind.TIMER, "Duration of a reconciliation by controller", "controller"),

  // Rollout
  TENANTS(
      "krypton_tenants", Kind.GAUGE, "Number of Tenants by cluster and phase", "cluster", "phase"),
  DEPLOYMENTS(
      "krypton_deployments",
      Kind.GAUGE,
      "Number of KryptonDeployments by region and phase",
      "region",
      "phase"),
  HELM_OPERATIONS(
      "krypton_helm_operations",
      Kind.COUNTER,
      "Total Helm operations by cluster, operation and result",
      "cluster",
      "operation",
      "result"),
  HELM_TIME(
      "krypton_helm_operation",
      Kind.TIMER,
      "Duration of a Helm operation by operation",
      "operation"),
  HELM_PROCESSES("krypton_helm_processes", Kind.GAUGE, "Number of running Helm processes"),
  HELM_ENGINE(
      "krypton_helm_engine",
      Kind.GAUGE,
      "1 for the engine that runs Helm: worker (one process for all) or cli (one per operation)",
      "engine"),
  HELM_WORKER_RESTARTS(
      "krypton_helm_worker_restarts",
      Kind.COUNTER,
      "Total replacements of the Helm worker by reason",
      "reason"),
  HELM_WORKER_MEMORY(
      "krypton_helm_worker_memory_bytes",
      Kind.GAUGE,
      "Resident memory of the Helm worker when it last answered"),
  CHART_LOADS(
      "krypton_chart_loads",
      Kind.COUNTER,
      "Total chart loads by result; hit means served from the cache",
      "result"),
  DRIFT_DETECTED(
      "krypton_drift_detected",
      Kind.COUNTER,
      "Total release objects found changed or missing, by cluster and kind",
      "cluster",
      "kind"),
  DRIFT_REPAIRS(
      "krypton_drift_repairs",
      Kind.COUNTER,
      "Total drift repairs by cluster and result",
      "cluster",
      "result"),
  RELEASE_UNLOCKS(
      "krypton_release_unlocks",
      Kind.COUNTER,
      "Total releases unlocked after a Helm process died, by cluster and method",
      "cluster",
      "method"),

  // Classes
  ROLLOUT_TARGETS(
      "krypton_rollout_targets",
      Kind.GAUGE,
      "Number of releases in the active rollout of a class by wave and state",
      "class",
      "wave",
      "state"),
  ROLLOUT_PHASE(
      "krypton_rollout_phase",
      Kind.GAUGE,
      "1 for the phase of the latest rollout of a class",
      "class",
      "rollout",
      "phase"),

  // KMS health
  KMS_PLUGINS_DEGRADED(
      "krypton_kms_plugins_degraded",
      Kind.GAUGE,
      "1 for the current status of the condition KMSPluginsDegraded",
      "cluster",
      "target",
      "status"),
  KMS_WRITE_KEY_FAILING(
      "krypton_kms_write_key_failing",
      Kind.GAUGE,
      "1 while a plugin that encrypts writes is failing, else 0",
      "cluster",
      "target"),
  KMS_KEYS_CONVERGED(
      "krypton_kms_keys_converged",
      Kind.GAUGE,
      "1 while all nodes encrypt with the same remote key, else 0",
      "cluster",
      "target"),
  KMS_NODES(
      "krypton_kms_nodes",
      Kind.GAUGE,
      "Number of expected nodes by state",
      "cluster",
      "target",
      "state"),
  KMS_EVIDENCE_AGE(
      "krypton_kms_evidence_age_seconds",
      Kind.GAUGE,
      "Seconds since the last sign of life of a node",
      "cluster",
      "target",
      "node"),
  KMS_CLOCK_SKEW(
      "krypton_kms_clock_skew_seconds",
      Kind.GAUGE,
      "Seconds that the clock of a node is behind",
      "cluster",
      "target",
      "node"),
  KMS_STATUS_WRITES(
      "krypton_kms_status_writes",
      Kind.COUNTER,
      "Total status writes by cluster, target and kind of write",
      "cluster",
      "target",
      "kind"),
  KMS_MALFORMED_REPORTS(
      "krypton_kms_malformed_reports",
      Kind.COUNTER,
      "Total node reports that could not be parsed",
      "cluster",
      "target"),
  KMS_ORPHANS_REMOVED(
      "krypton_kms_orphans_removed",
      Kind.COUNTER,
      "Total removed nodes whose status entries and Lease were deleted",
      "cluster",
      "target"),

  // Platform, TLS and access
  PLATFORM(
      "krypton_platform_info",
      Kind.GAUGE,
      "Detected platform; unknown until detection completes",
      "platform"),
  METRICS_AUTH(
      "krypton_metrics_auth",
      Kind.COUNTER,
      "Total access decisions on /metrics and /status by result",
      "result"),
  TLS_PROFILE(
      "krypton_tls_profile_info",
      Kind.GAUGE,
      "Active TLS profile by source and hash",
      "source",
      "hash"),
  TLS_PROFILE_MATCH(
      "krypton_tls_profile_hash_match",
      Kind.GAUGE,
      "1 if the active TLS profile is the one the pod was rolled out with, else 0"),
  TLS_PROFILE_NARROWED(
      "krypton_tls_profile_narrowed",
      Kind.GAUGE,
      "Entries of the active TLS profile that this process cannot serve"),
  TLS_CERTIFICATE_END(
      "krypton_tls_certificate_not_after_seconds",
      Kind.GAUGE,
      "Expiry of the active serving certificate in seconds since 1970"),
  TLS_RELOADS(
      "krypton_tls_reloads",
      Kind.COUNTER,
      "Total reloads of the serving certificate and TLS profile by input",
      "input"),
  TLS_RELOAD_ERRORS(
      "krypton_tls_reload_errors",
      Kind.COUNTER,
      "Total rejected reloads by input and reason; the previous input stays active",
      "input",
      "reason");

  /** How values come about; it decides the suffix under which they are exposed. */
  public enum Kind {
    GAUGE("gauge", ""),
    COUNTER("counter", "_total"),
    /** A histogram of durations. */
    TIMER("histogram", "_seconds");

    private final String type;
    private final String suffix;

    Kind(String type, String suffix) {
      this.type = type;
      this.suffix = suffix;
    }

    /** The type that Prometheus is told. */
    public String type() {
      return type;
    }
  }

  private final String base;
  private final Kind kind;
  private final String help;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
  private final List<String> labels;

  OperatorMetric(String base, Kind kind, String help, String... labels) {
    this.base = base;
    this.kind = kind;
    this.help = help;
    this.labels = List.of(labels);
  }

  /** The name without the suffix of its kind, as the registry wants it. */
  String base() {
    return base;
  }

  /** The name on the page. */
  public String exposed() {
    return base + kind.suffix;
  }

  public Kind kind() {
    return kind;
  }

  /** Fails unless the metric is of this kind and has exactly these labels. */
  void require(Kind expected, Set<String> names) {
    if (kind != expected || names.size() != labels.size() || !names.containsAll(labels)) {
      throw new IllegalArgumentException(
          "%s is a %s with labels %s, not a %s with labels %s"
              .formatted(this, kind, labels, expected, names));
    }
  }

  public String help() {
    return help;
  }

  public List<String> labels() {
    return labels;
  }
}
