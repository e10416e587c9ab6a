package io.krypton.api;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every event that users may see, in the order of the reference page that is made from this list.
 * Scripts and alerts look for these words. A test finds those that are missing here.
 */
public enum EventReason {
  CLUSTER_ENGAGED(
      "ClusterEngaged", Kind.NORMAL, "The cluster is connected and watched.", Subject.SECRET),
  CLUSTER_RECOVERED(
      "ClusterRecovered",
      Kind.NORMAL,
      "A cluster that was unreachable answers again.",
      Subject.SECRET),
  CLUSTER_DISENGAGED(
      "ClusterDisengaged",
      Kind.NORMAL,
      "The label was removed: the cluster is let go, nothing on it is deleted.",
      Subject.SECRET),
  CLUSTER_UNREACHABLE(
      "ClusterUnreachable",
      Kind.WARNING,
      "The cluster does not answer or refuses the credentials; it is tried again on its own.",
      Subject.SECRET),
  CLUSTER_REJECTED(
      "ClusterRejected",
      Kind.WARNING,
      "The kubeconfig breaks the policy; the message names the field to correct.",
      Subject.SECRET),
  CLUSTER_DUPLICATE(
      "ClusterDuplicate",
      Kind.WARNING,
      "Two Secrets lead to the same API server; remove one, or accept two releases for each Tenant.",
      Subject.SECRET),
  CLUSTER_CREDENTIALS_EXPIRING(
      "ClusterCredentialsExpiring",
      Kind.WARNING,
      "The credentials end soon; put a new kubeconfig into the Secret.",
      Subject.SECRET),
  CLUSTER_NOT_SYNCED(
      "ClusterNotSynced",
      Kind.WARNING,
      "The objects of the cluster could not be listed in time; it is tried again.",
      Subject.SECRET),
  CRD_OUTDATED(
      "CRDOutdated",
      Kind.WARNING,
      "A definition on the cluster lacks fields of ours; upgrade it.",
      Subject.SECRET),
  CRD_INCOMPATIBLE(
      "CRDIncompatible",
      Kind.WARNING,
      "A foreign definition of the same name refuses our status; remove or replace it.",
      Subject.SECRET),
  CRD_ENSURE_FAILED(
      "CRDEnsureFailed",
      Kind.WARNING,
      "A definition could not be created; grant that right, or install it yourself.",
      Subject.SECRET),
  SELF_CLUSTER_FULL_FILE(
      "SelfClusterFullFile",
      Kind.WARNING,
      "The whole kubeconfig file of home is stored, with all clusters in it.",
      Subject.SECRET),
  PHASE_SET(
      "PhaseSet", Kind.NORMAL, "The phase changed; the message names the new one.", Subject.TENANT),
  FINGERPRINT_UPDATED(
      "FingerprintUpdated", Kind.NORMAL, "What was rolled out is recorded.", Subject.TENANT),
  FINGERPRINT_UPDATE_FAILED(
      "FingerprintUpdateFailed",
      Kind.WARNING,
      "What was rolled out could not be recorded; it is tried again.",
      Subject.TENANT),
  HELM_SKIP(
      "HelmSkip",
      Kind.NORMAL,
      "Chart and values are the same as before, so Helm did not run.",
      Subject.TENANT),
  HELM_INSTALL_START(
      "HelmInstallStart", Kind.NORMAL, "Helm begins to install the release.", Subject.TENANT),
  HELM_UPGRADE_START(
      "HelmUpgradeStart", Kind.NORMAL, "Helm begins to upgrade the release.", Subject.TENANT),
  HELM_INSTALLED("HelmInstalled", Kind.NORMAL, "The release is installed.", Subject.TENANT),
  HELM_UPGRADED("HelmUpgraded", Kind.NORMAL, "The release is upgraded.", Subject.TENANT),
  HELM_INSTALL_FAILED(
      "HelmInstallFailed",
      Kind.WARNING,
      "Helm could not install the release; its words are in the message.",
      Subject.TENANT),
  HELM_UPGRADE_FAILED(
      "HelmUpgradeFailed",
      Kind.WARNING,
      "Helm could not upgrade the release; its words are in the message.",
      Subject.TENANT),
  HELM_CONFIG_INIT_FAILED(
      "HelmConfigInitFailed",
      Kind.WARNING,
      "Helm could not begin; check the operator's Helm and data directory.",
      Subject.TENANT),
  CHART_NOT_LOADED(
      "ChartNotLoaded",
      Kind.WARNING,
      "The chart cannot be had now; it is tried again.",
      Subject.TENANT),
  CHART_VERSION_NOT_FOUND(
      "ChartVersionNotFound",
      Kind.WARNING,
      "The repository does not have the chart version.",
      Subject.TENANT),
  CHART_VERSION_INVALID(
      "ChartVersionInvalid", Kind.WARNING, "The chart version is no exact SemVer.", Subject.TENANT),
  CHART_DIGEST_MISMATCH(
      "ChartDigestMismatch",
      Kind.WARNING,
      "The archive is not what the index promises; nothing is installed.",
      Subject.TENANT),
  WORKSPACE_CREATED(
      "WorkspaceCreated",
      Kind.NORMAL,
      "The namespace was created, and goes with the Tenant.",
      Subject.TENANT),
  WORKSPACE_EXISTS(
      "WorkspaceExists",
      Kind.NORMAL,
      "The namespace was there already, and stays when the Tenant goes.",
      Subject.TENANT),
  WORKSPACE_CREATE_FAILED(
      "WorkspaceCreateFailed", Kind.WARNING, "The namespace could not be created.", Subject.TENANT),
  WORKSPACE_DELETE_REQUESTED(
      "WorkspaceDeleteRequested", Kind.NORMAL, "The namespace is being deleted.", Subject.TENANT),
  CLUSTER_REF_SKIPPED(
      "ClusterRefSkipped",
      Kind.NORMAL,
      "Deleted without clean-up, because the Tenant names another cluster.",
      Subject.TENANT),
  FINALIZER_ADDED(
      "FinalizerAdded",
      Kind.NORMAL,
      "The object is held until its releases are gone.",
      Subject.KRYPTON_DEPLOYMENT),
  ACCOUNT_VALIDATED(
      "AccountValidated", Kind.NORMAL, "The account is given.", Subject.KRYPTON_DEPLOYMENT),
  ACCOUNT_MISSING(
      "AccountMissing", Kind.WARNING, "Set spec.account.name.", Subject.KRYPTON_DEPLOYMENT),
  ROUTING(
      "Routing",
      Kind.NORMAL,
      "The region was chosen; the message names it.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_UNAVAILABLE(
      "EdgeUnavailable",
      Kind.WARNING,
      "The cluster of the region cannot be used; the message says why.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_CREATED(
      "EdgeNamespaceCreated",
      Kind.NORMAL,
      "The namespace was created on the cluster of the region.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_EXISTS(
      "EdgeNamespaceExists",
      Kind.NORMAL,
      "The namespace was there already; it is used and will stay.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_DELETE_REQUESTED(
      "EdgeNamespaceDeleteRequested",
      Kind.NORMAL,
      "The namespace is being deleted.",
      Subject.KRYPTON_DEPLOYMENT),
  HELM_DEPLOYED(
      "HelmDeployed",
      Kind.NORMAL,
      "The release is installed or upgraded.",
      Subject.KRYPTON_DEPLOYMENT),
  HELM_DEPLOY_FAILED(
      "HelmDeployFailed",
      Kind.WARNING,
      "Helm could not install or upgrade the release; its words are in the message.",
      Subject.KRYPTON_DEPLOYMENT),
  HEALTH_CHECK_FAILED(
      "HealthCheckFailed",
      Kind.WARNING,
      "The release could not be looked at.",
      Subject.KRYPTON_DEPLOYMENT),
  READY(
      "Ready", Kind.NORMAL, "The release and its workloads are ready.", Subject.KRYPTON_DEPLOYMENT),
  NOT_READY(
      "NotReady",
      Kind.NORMAL,
      "The message names the workloads that are not ready.",
      Subject.KRYPTON_DEPLOYMENT),
  SUSPENDED(
      "Suspended",
      Kind.NORMAL,
      "Nothing is installed, upgraded or repaired until it is resumed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RESUMED(
      "Resumed",
      Kind.NORMAL,
      "Reconciliation goes on.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  DRIFT_DETECTED(
      "DriftDetected",
      Kind.WARNING,
      "Objects of the release were changed or are missing; they are left so.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  REPAIR_TRIGGERED(
      "RepairTriggered",
      Kind.WARNING,
      "Objects of the release were changed or deleted, and are put back.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_MISSING(
      "ReleaseMissing",
      Kind.WARNING,
      "The release is gone; it is installed again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_NOT_INSTALLED(
      "ReleaseNotInstalled",
      Kind.WARNING,
      "The release never got installed; it is installed again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_UNLOCKED(
      "ReleaseUnlocked",
      Kind.WARNING,
      "A Helm run had died and held the release; it is freed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  HELM_ROLLED_BACK(
      "HelmRolledBack",
      Kind.WARNING,
      "An upgrade failed, and the revision before is back.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  NAMESPACE_CONFLICT(
      "NamespaceConflict",
      Kind.WARNING,
      "An older object has that namespace.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RESERVED_NAMESPACE(
      "ReservedNamespace",
      Kind.WARNING,
      "The namespace is reserved; choose another.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  VALUES_NOT_FOUND(
      "ValuesNotFound",
      Kind.WARNING,
      "A referenced ConfigMap or Secret is missing; the message names it.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  VALUES_INVALID(
      "ValuesInvalid",
      Kind.WARNING,
      "Referenced values are no YAML map; the message names them.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  WORKLOADS_NOT_READY(
      "WorkloadsNotReady",
      Kind.WARNING,
      "Workloads did not become ready in time; the message names them.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  STATUS_UPDATE_FAILED(
      "StatusUpdateFailed",
      Kind.WARNING,
      "The status could not be written; it is tried again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  DELETE_STARTED(
      "DeleteStarted",
      Kind.NORMAL,
      "The release is being removed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  HELM_UNINSTALLED(
      "HelmUninstalled",
      Kind.NORMAL,
      "The release is removed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  HELM_UNINSTALL_FAILED(
      "HelmUninstallFailed",
      Kind.WARNING,
      "Helm could not remove the release; it is tried again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  WORKSPACE_STUCK(
      "WorkspaceStuck",
      Kind.WARNING,
      "The namespace does not end; its own conditions say what holds it.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_ORPHANED(
      "ReleaseOrphaned",
      Kind.NORMAL,
      "Deleted without its release, as the deletion policy says.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  FINALIZER_REMOVED(
      "FinalizerRemoved",
      Kind.NORMAL,
      "The clean-up is done and the object may go.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  KMS_PLUGINS_DEGRADED(
      "KMSPluginsDegraded",
      Kind.WARNING,
      "A plugin fails or a node is silent; the message names node, key and cause.",
      Subject.KMS_HEALTH),
  KMS_PLUGINS_RECOVERED(
      "KMSPluginsRecovered",
      Kind.NORMAL,
      "All plugins of all nodes work again.",
      Subject.KMS_HEALTH),
  KMS_KEYS_CONVERGED(
      "KMSKeysConverged",
      Kind.NORMAL,
      "All nodes encrypt with the same remote key; the next rotation may begin.",
      Subject.KMS_HEALTH),
  KMS_KEYS_DIVERGED(
      "KMSKeysDiverged",
      Kind.WARNING,
      "Nodes encrypt with different remote keys; the message names them.",
      Subject.KMS_HEALTH),
  REMOTE_KEY_ID_REUSED(
      "RemoteKeyIDReused",
      Kind.WARNING,
      "A plugin names a key id that was left before; plugins must not reuse ids.",
      Subject.KMS_HEALTH),
  CLOCK_SKEW(
      "ClockSkew",
      Kind.WARNING,
      "The clock of a node is wrong by more than a minute; correct it.",
      Subject.KMS_HEALTH),
  DUPLICATE_REPORTER(
      "DuplicateReporter",
      Kind.WARNING,
      "Two reporters use the same node name; give each its own.",
      Subject.KMS_HEALTH),
  UNEXPECTED_REPORTER(
      "UnexpectedReporter",
      Kind.WARNING,
      "A node reports that is not expected; expect it or stop its reporter.",
      Subject.KMS_HEALTH),
  ORPHAN_REMOVED(
      "OrphanRemoved",
      Kind.NORMAL,
      "What a node left behind that is gone was removed.",
      Subject.KMS_HEALTH),
  OPERATOR_STATUS_CHANGED(
      "OperatorStatusChanged",
      Kind.NORMAL,
      "Conditions of the ClusterOperator changed (OpenShift).",
      Subject.CLUSTER_OPERATOR),
  OPERATOR_VERSION_CHANGED(
      "OperatorVersionChanged",
      Kind.NORMAL,
      "The ClusterOperator tells a new version (OpenShift).",
      Subject.CLUSTER_OPERATOR),
  STATUS_NOT_FOUND(
      "StatusNotFound",
      Kind.WARNING,
      "An object that feeds the ClusterOperator does not exist (OpenShift).",
      Subject.CLUSTER_OPERATOR),
  TLS_PROFILE_PUBLISHED(
      "TLSProfilePublished",
      Kind.NORMAL,
      "The cluster's TLS profile is published under a new hash (OpenShift).",
      Subject.CONFIG_MAP),
  TLS_PROFILE_REFUSED(
      "TLSProfileRefused",
      Kind.WARNING,
      "The cluster's TLS profile cannot be served; the one before stays in force (OpenShift).",
      Subject.CONFIG_MAP),
  TLS_PROFILE_ROLLED(
      "TLSProfileRolled",
      Kind.NORMAL,
      "The Deployment was given the profile and rolls (OpenShift).",
      Subject.DEPLOYMENT),
  RECREATE_STRATEGY(
      "RecreateStrategy",
      Kind.WARNING,
      "Each new profile interrupts this Deployment; use RollingUpdate (OpenShift).",
      Subject.DEPLOYMENT);

  /** The two types that Kubernetes knows. */
  public enum Kind {
    NORMAL,
    WARNING
  }

  /** The kind of object that an event is about. */
  public enum Subject {
    SECRET("Secret"),
    TENANT("Tenant"),
    KRYPTON_DEPLOYMENT("KryptonDeployment"),
    KMS_HEALTH("KmsHealth"),
    CLUSTER_OPERATOR("ClusterOperator"),
    CONFIG_MAP("ConfigMap"),
    DEPLOYMENT("Deployment");

    private final String word;

    Subject(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  private static final Map<String, EventReason> BY_WORD =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(EventReason::word, Function.identity()));

  private final String word;
  private final Kind kind;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
  private final List<Subject> subjects;

  EventReason(String word, Kind kind, String meaning, Subject... subjects) {
    this.word = word;
    this.kind = kind;
    this.meaning = meaning;
    this.subjects = List.of(subjects);
  }

  /** The one with this word, if it is ours. */
  public static Optional<EventReason> of(String word) {
    return Optional.ofNullable(BY_WORD.get(word));
  }

  public String word() {
    return word;
  }

  public Kind kind() {
    return kind;
  }

  public String meaning() {
    return meaning;
  }

  public List<Subject> subjects() {
    return subjects;
  }
}
