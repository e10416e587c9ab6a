package io.krypton.operator.observe;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Every metric of the operator, in the order of the reference page that is made from this list. A
 * test finds those that are missing here.
 */
public enum OperatorMetric {
  // Clusters
  CLUSTERS("krypton_clusters", Kind.GAUGE, "Clusters by state", "state"),
  CLUSTER_UP(
      "krypton_cluster_up", Kind.GAUGE, "1 for a cluster that is engaged and answers", "cluster"),
  CLUSTER_CREDENTIALS(
      "krypton_cluster_credentials_expire_seconds",
      Kind.GAUGE,
      "Seconds until the credentials of a cluster end",
      "cluster"),
  CLUSTER_ENGAGEMENTS(
      "krypton_cluster_engagements",
      Kind.COUNTER,
      "Attempts to engage a cluster, by how they ended",
      "cluster",
      "result"),
  CLUSTER_ENGAGE(
      "krypton_cluster_engage", Kind.TIMER, "Time from a Secret to an engaged cluster", "result"),
  API_REQUESTS(
      "krypton_api_requests",
      Kind.COUNTER,
      "Requests to API servers; code 0 means no answer",
      "cluster",
      "verb",
      "code"),
  API_CONNECTED("krypton_api_connected", Kind.GAUGE, "1 while the API server of home answers"),

  // The process
  LEADER("krypton_leader", Kind.GAUGE, "1 while this process leads"),
  LEASE_LOST("krypton_lease_lost", Kind.COUNTER, "How often this process lost its leader Lease"),
  QUEUE_DEPTH(
      "krypton_queue_depth", Kind.GAUGE, "Objects that are due, parked or due later", "controller"),
  QUEUE_OLDEST(
      "krypton_queue_oldest_seconds",
      Kind.GAUGE,
      "How long the oldest due key has waited",
      "controller"),
  RECONCILES(
      "krypton_reconcile",
      Kind.COUNTER,
      "Looks at an object, by how they ended",
      "controller",
      "cluster",
      "result"),
  RECONCILE_TIME("krypton_reconcile", Kind.TIMER, "Time of one look at an object", "controller"),

  // Rollout
  TENANTS("krypton_tenants", Kind.GAUGE, "Tenants by cluster and phase", "cluster", "phase"),
  DEPLOYMENTS(
      "krypton_deployments",
      Kind.GAUGE,
      "KryptonDeployments by region and phase",
      "region",
      "phase"),
  HELM_OPERATIONS(
      "krypton_helm_operations",
      Kind.COUNTER,
      "Helm runs by what they did and how they ended",
      "cluster",
      "operation",
      "result"),
  HELM_TIME("krypton_helm_operation", Kind.TIMER, "Time of one Helm run", "operation"),
  HELM_PROCESSES("krypton_helm_processes", Kind.GAUGE, "Helm processes that run now"),
  CHART_LOADS(
      "krypton_chart_loads",
      Kind.COUNTER,
      "Attempts to load the chart, by how they ended; hit = from the cache",
      "result"),
  DRIFT_DETECTED(
      "krypton_drift_detected",
      Kind.COUNTER,
      "Objects of releases that were found changed or missing",
      "cluster",
      "kind"),
  DRIFT_REPAIRS(
      "krypton_drift_repairs",
      Kind.COUNTER,
      "Repairs of releases, by how they ended",
      "cluster",
      "result"),
  RELEASE_UNLOCKS(
      "krypton_release_unlocks",
      Kind.COUNTER,
      "Releases that were freed from a Helm run that had died",
      "cluster",
      "method"),

  // KMS health
  KMS_PLUGINS_DEGRADED(
      "krypton_kms_plugins_degraded",
      Kind.GAUGE,
      "1 for the status that KMSPluginsDegraded has",
      "cluster",
      "target",
      "status"),
  KMS_WRITE_KEY_FAILING(
      "krypton_kms_write_key_failing",
      Kind.GAUGE,
      "1 while a plugin that encrypts fails",
      "cluster",
      "target"),
  KMS_KEYS_CONVERGED(
      "krypton_kms_keys_converged",
      Kind.GAUGE,
      "1 while all nodes encrypt with the same remote key",
      "cluster",
      "target"),
  KMS_NODES(
      "krypton_kms_nodes", Kind.GAUGE, "Expected nodes by state", "cluster", "target", "state"),
  KMS_EVIDENCE_AGE(
      "krypton_kms_evidence_age_seconds",
      Kind.GAUGE,
      "How long nothing was heard of a node",
      "cluster",
      "target",
      "node"),
  KMS_CLOCK_SKEW(
      "krypton_kms_clock_skew_seconds",
      Kind.GAUGE,
      "How far the clock of a node is behind",
      "cluster",
      "target",
      "node"),
  KMS_STATUS_WRITES(
      "krypton_kms_status_writes",
      Kind.COUNTER,
      "Writes to the object that carries the health, by what was written",
      "cluster",
      "target",
      "kind"),
  KMS_MALFORMED_REPORTS(
      "krypton_kms_malformed_reports",
      Kind.COUNTER,
      "Reports that could not be read",
      "cluster",
      "target"),
  KMS_ORPHANS_REMOVED(
      "krypton_kms_orphans_removed",
      Kind.COUNTER,
      "Nodes whose entries and Lease were removed because they are gone",
      "cluster",
      "target"),

  // Platform, TLS and access
  PLATFORM("krypton_platform_info", Kind.GAUGE, "The platform, unknown until it is", "platform"),
  METRICS_AUTH(
      "krypton_metrics_auth",
      Kind.COUNTER,
      "Verdicts on callers of /metrics and /status",
      "result"),
  TLS_PROFILE("krypton_tls_profile_info", Kind.GAUGE, "The TLS profile in force", "source", "hash"),
  TLS_PROFILE_MATCH(
      "krypton_tls_profile_hash_match",
      Kind.GAUGE,
      "1 if the profile in force is the one that the pod was made for"),
  TLS_PROFILE_NARROWED(
      "krypton_tls_profile_narrowed",
      Kind.GAUGE,
      "Entries of the profile in force that this process cannot serve"),
  TLS_CERTIFICATE_END(
      "krypton_tls_certificate_not_after_seconds",
      Kind.GAUGE,
      "When the certificate in force ends, in seconds since 1970"),
  TLS_RELOADS(
      "krypton_tls_reloads",
      Kind.COUNTER,
      "Certificates and profiles that were taken into use",
      "input"),
  TLS_RELOAD_ERRORS(
      "krypton_tls_reload_errors",
      Kind.COUNTER,
      "Certificates and profiles that could not be used; the one before stays in force",
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

  private static final Map<String, String> HELP =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(OperatorMetric::exposed, OperatorMetric::help));

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

  /** The sentence for a metric as {@link Metrics} is given its name; none for a foreign one. */
  static String helpFor(String base, Kind kind) {
    return HELP.getOrDefault(base + kind.suffix, "");
  }

  /** The name in the code, without the suffix of its kind. */
  public String base() {
    return base;
  }

  /** The name on the page. */
  public String exposed() {
    return base + kind.suffix;
  }

  public Kind kind() {
    return kind;
  }

  public String help() {
    return help;
  }

  public List<String> labels() {
    return labels;
  }
}
