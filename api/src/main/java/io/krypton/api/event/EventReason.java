// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.event;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Every event that users may see, in the order of the reference page that is made from this list.
 * Scripts and alerts look for these words. A test finds those that are missing here.
 */
public enum EventReason {
  CLUSTER_ENGAGED(EventType.NORMAL, "The cluster is connected and watched.", Subject.SECRET),
  CLUSTER_RECOVERED(EventType.NORMAL, "The cluster is reachable again.", Subject.SECRET),
  CLUSTER_DISENGAGED(
      EventType.NORMAL,
      "The label was removed: the cluster is no longer watched, nothing on it is deleted.",
      Subject.SECRET),
  CLUSTER_UNREACHABLE(
      EventType.WARNING,
      "The cluster does not answer or refuses the credentials; retrying.",
      Subject.SECRET),
  CLUSTER_REJECTED(
      EventType.WARNING,
      "The kubeconfig breaks the policy; the message names the field to correct.",
      Subject.SECRET),
  CLUSTER_DUPLICATE(
      EventType.WARNING,
      "Two Secrets lead to the same API server; remove one, or accept two releases for each"
          + " Tenant.",
      Subject.SECRET),
  CLUSTER_CREDENTIALS_EXPIRING(
      EventType.WARNING,
      "The credentials expire soon; put a new kubeconfig into the Secret.",
      Subject.SECRET),
  CLUSTER_NOT_SYNCED(
      EventType.WARNING,
      "The objects of the cluster could not be listed in time; retrying.",
      Subject.SECRET),
  CRD_OUTDATED(
      EventType.WARNING,
      "A definition on the cluster lacks fields of ours; upgrade it.",
      Subject.SECRET),
  CRD_INCOMPATIBLE(
      EventType.WARNING,
      "A foreign definition of the same name refuses our status; remove or replace it.",
      Subject.SECRET),
  CRD_ENSURE_FAILED(
      EventType.WARNING,
      "A definition could not be created; grant that right, or install it yourself.",
      Subject.SECRET),
  SELF_CLUSTER_FULL_FILE(
      EventType.WARNING,
      "The whole kubeconfig file of home is stored, with all clusters in it.",
      Subject.SECRET),
  PHASE_SET(
      EventType.NORMAL,
      "The phase changed; the message names the new one. What is over within 0.3 s is no phase.",
      Subject.TENANT),
  FINGERPRINT_UPDATED(EventType.NORMAL, "What was rolled out is recorded.", Subject.TENANT),
  FINGERPRINT_UPDATE_FAILED(
      EventType.WARNING, "What was rolled out could not be recorded; retrying.", Subject.TENANT),
  HELM_SKIP(
      EventType.NORMAL,
      "Chart and values are the same as before, so Helm did not run.",
      Subject.TENANT),
  HELM_INSTALL_START(EventType.NORMAL, "Helm begins to install the release.", Subject.TENANT),
  HELM_UPGRADE_START(EventType.NORMAL, "Helm begins to upgrade the release.", Subject.TENANT),
  HELM_INSTALLED(EventType.NORMAL, "The release is installed.", Subject.TENANT),
  HELM_UPGRADED(EventType.NORMAL, "The release is upgraded.", Subject.TENANT),
  HELM_INSTALL_FAILED(
      EventType.WARNING,
      "Helm could not install the release; the message holds its error.",
      Subject.TENANT),
  HELM_UPGRADE_FAILED(
      EventType.WARNING,
      "Helm could not upgrade the release; the message holds its error.",
      Subject.TENANT),
  HELM_CONFIG_INIT_FAILED(
      EventType.WARNING,
      "Helm could not start; check the operator's Helm and data directory.",
      Subject.TENANT),
  CHART_NOT_LOADED(EventType.WARNING, "Chart unavailable; retrying.", Subject.TENANT),
  CHART_VERSION_NOT_FOUND(
      EventType.WARNING, "The repository does not have the chart version.", Subject.TENANT),
  CHART_VERSION_INVALID(
      EventType.WARNING, "The chart version is not an exact SemVer.", Subject.TENANT),
  CHART_DIGEST_MISMATCH(
      EventType.WARNING,
      "The archive does not match the digest in the index; nothing is installed.",
      Subject.TENANT),
  WORKSPACE_CREATED(
      EventType.NORMAL,
      "The namespace was created; it is deleted with the Tenant.",
      Subject.TENANT),
  WORKSPACE_EXISTS(
      EventType.NORMAL,
      "The namespace existed before; it stays when the Tenant is deleted.",
      Subject.TENANT),
  WORKSPACE_CREATE_FAILED(EventType.WARNING, "The namespace could not be created.", Subject.TENANT),
  WORKSPACE_DELETE_REQUESTED(EventType.NORMAL, "The namespace is being deleted.", Subject.TENANT),
  CLUSTER_REF_SKIPPED(
      EventType.NORMAL,
      "spec.clusterRef names another cluster: the Tenant is skipped here, its release stays. Only"
          + " where that name leads to this very server and the release under it is ready, the"
          + " release under this name is removed.",
      Subject.TENANT),
  FINALIZER_ADDED(
      EventType.NORMAL,
      "The finalizer was added: releases are uninstalled before the object is deleted.",
      Subject.KRYPTON_DEPLOYMENT),
  ACCOUNT_VALIDATED(EventType.NORMAL, "spec.account.name is set.", Subject.KRYPTON_DEPLOYMENT),
  ACCOUNT_MISSING(EventType.WARNING, "Set spec.account.name.", Subject.KRYPTON_DEPLOYMENT),
  ROUTING(
      EventType.NORMAL, "The region was chosen; the message names it.", Subject.KRYPTON_DEPLOYMENT),
  EDGE_UNAVAILABLE(
      EventType.WARNING,
      "The cluster of the region cannot be used; the message says why.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_CREATED(
      EventType.NORMAL,
      "The namespace was created on the cluster of the region.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_EXISTS(
      EventType.NORMAL,
      "The namespace existed before; it is used and stays.",
      Subject.KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_DELETE_REQUESTED(
      EventType.NORMAL, "The namespace is being deleted.", Subject.KRYPTON_DEPLOYMENT),
  HELM_DEPLOYED(
      EventType.NORMAL, "The release is installed or upgraded.", Subject.KRYPTON_DEPLOYMENT),
  HELM_DEPLOY_FAILED(
      EventType.WARNING,
      "Helm could not install or upgrade the release; the message holds its error.",
      Subject.KRYPTON_DEPLOYMENT),
  HEALTH_CHECK_FAILED(
      EventType.WARNING, "The release could not be inspected.", Subject.KRYPTON_DEPLOYMENT),
  READY(EventType.NORMAL, "The release and its workloads are ready.", Subject.KRYPTON_DEPLOYMENT),
  NOT_READY(
      EventType.NORMAL,
      "The message names the workloads that are not ready.",
      Subject.KRYPTON_DEPLOYMENT),
  SUSPENDED(
      EventType.NORMAL,
      "Nothing is installed, upgraded or repaired until it is resumed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RESUMED(
      EventType.NORMAL, "Reconciliation is resumed.", Subject.TENANT, Subject.KRYPTON_DEPLOYMENT),
  DRIFT_DETECTED(
      EventType.WARNING,
      "Objects of the release were changed or are missing; they are not repaired.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  DRY_RUN_REFUSED(
      EventType.WARNING,
      "The server refuses to compare an object with its manifest; the message names it and says"
          + " why.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  API_VERSION_NOT_SERVED(
      EventType.WARNING,
      "The cluster no longer serves the API version of an object; it is neither compared nor"
          + " repaired.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  REPAIR_TRIGGERED(
      EventType.WARNING,
      "Objects of the release were changed or deleted and are being restored.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_MISSING(
      EventType.WARNING,
      "The release is missing; it is installed again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_NOT_INSTALLED(
      EventType.WARNING,
      "The release was uninstalled and its history kept, as helm uninstall --keep-history does; it"
          + " is installed again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_LOCKED(
      EventType.NORMAL,
      "Another Helm operation holds the release; waiting for it.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_UNLOCKED(
      EventType.WARNING,
      "The release was locked by a Helm operation that died; it is unlocked.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  HELM_ROLLED_BACK(
      EventType.WARNING,
      "An upgrade failed; the previous revision is deployed again.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  NAMESPACE_CONFLICT(
      EventType.WARNING,
      "An older object already uses the namespace.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RESERVED_NAMESPACE(
      EventType.WARNING,
      "The namespace is reserved; choose another.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  VALUES_NOT_FOUND(
      EventType.WARNING,
      "A referenced ConfigMap or Secret is missing; the message names it.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  VALUES_INVALID(
      EventType.WARNING,
      "Referenced values are not a YAML map; the message names them.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  WORKLOADS_NOT_READY(
      EventType.WARNING,
      "Workloads did not become ready in time; the message names them.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  STATUS_UPDATE_FAILED(
      EventType.WARNING,
      "The status could not be written; retrying.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  DELETE_STARTED(
      EventType.NORMAL,
      "The release is being removed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  HELM_UNINSTALLED(
      EventType.NORMAL, "The release is removed.", Subject.TENANT, Subject.KRYPTON_DEPLOYMENT),
  HELM_UNINSTALL_FAILED(
      EventType.WARNING,
      "Helm could not uninstall the release; retrying.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  WORKSPACE_KEPT(
      EventType.WARNING,
      "The namespace was made for the object and stays, because it holds releases of others.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  WORKSPACE_STUCK(
      EventType.WARNING,
      "The namespace does not terminate; its conditions say what blocks it.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  RELEASE_ORPHANED(
      EventType.NORMAL,
      "The object is deleted and its release is kept, by its deletion policy.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  FINALIZER_REMOVED(
      EventType.NORMAL,
      "Clean-up is complete; the finalizer is removed.",
      Subject.TENANT,
      Subject.KRYPTON_DEPLOYMENT),
  KMS_PLUGINS_DEGRADED(
      EventType.WARNING,
      "A plugin fails or a node's report is stale; the message names node, key and cause.",
      Subject.KMS_HEALTH),
  KMS_PLUGINS_RECOVERED(
      EventType.NORMAL, "All plugins of all nodes work again.", Subject.KMS_HEALTH),
  KMS_KEYS_CONVERGED(
      EventType.NORMAL,
      "All nodes encrypt with the same remote key; the next rotation may begin.",
      Subject.KMS_HEALTH),
  KMS_KEYS_DIVERGED(
      EventType.WARNING,
      "Nodes encrypt with different remote keys; the message names them.",
      Subject.KMS_HEALTH),
  KMS_OLD_KEY_UNREADABLE(
      EventType.WARNING,
      "Plugins cannot decrypt data of an older remote key; the message names it. List it in"
          + " spec.retiredKeyHashes if that is meant.",
      Subject.KMS_HEALTH),
  REMOTE_KEY_ID_REUSED(
      EventType.WARNING,
      "A plugin names a key id that was left before; plugins must not reuse ids.",
      Subject.KMS_HEALTH),
  CLOCK_SKEW(
      EventType.WARNING,
      "The clock of a node is wrong by more than a minute; correct it.",
      Subject.KMS_HEALTH),
  DUPLICATE_REPORTER(
      EventType.WARNING,
      "Two reporters use the same node name; give each its own.",
      Subject.KMS_HEALTH),
  UNEXPECTED_REPORTER(
      EventType.WARNING,
      "A node reports that is not expected; expect it or stop its reporter.",
      Subject.KMS_HEALTH),
  ORPHAN_REMOVED(
      EventType.NORMAL,
      "The report of a node that no longer exists was removed.",
      Subject.KMS_HEALTH),
  OPERATOR_STATUS_CHANGED(
      EventType.NORMAL,
      "Conditions of the ClusterOperator changed (OpenShift).",
      Subject.CLUSTER_OPERATOR),
  OPERATOR_VERSION_CHANGED(
      EventType.NORMAL,
      "The version in the ClusterOperator changed (OpenShift).",
      Subject.CLUSTER_OPERATOR),
  STATUS_NOT_FOUND(
      EventType.WARNING,
      "An object that feeds the ClusterOperator does not exist (OpenShift).",
      Subject.CLUSTER_OPERATOR),
  TLS_PROFILE_PUBLISHED(
      EventType.NORMAL,
      "The cluster's TLS profile is published under a new hash (OpenShift).",
      Subject.CONFIG_MAP),
  TLS_PROFILE_REFUSED(
      EventType.WARNING,
      "The cluster's TLS profile cannot be served; the previous one stays in force (OpenShift).",
      Subject.CONFIG_MAP),
  TLS_PROFILE_ROLLED(
      EventType.NORMAL,
      "The profile was applied to the Deployment, which rolls out (OpenShift).",
      Subject.DEPLOYMENT),
  RECREATE_STRATEGY(
      EventType.WARNING,
      "Each new profile interrupts this Deployment; use RollingUpdate (OpenShift).",
      Subject.DEPLOYMENT);

  /** The two types that Kubernetes knows. */
  public enum EventType {
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

    private final String value;

    Subject(String word) {
      this.value = word;
    }

    public String value() {
      return value;
    }
  }

  private static final Map<String, EventReason> BY_VALUE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(EventReason::value, Function.identity()));

  private final String value;
  private final EventType type;
  private final String meaning;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
  private final List<Subject> subjects;

  EventReason(EventType eventType, String meaning, Subject... subjects) {
    this.value = spell(name());
    this.type = eventType;
    this.meaning = meaning;
    this.subjects = List.of(subjects);
  }

  /** {@code CRD_OUTDATED} is told as {@code CRDOutdated}. */
  private static String spell(String constant) {
    var abbreviations = Set.of("API", "CRD", "ID", "KMS", "TLS");
    return Arrays.stream(constant.split("_"))
        .map(
            part ->
                abbreviations.contains(part)
                    ? part
                    : part.charAt(0) + part.substring(1).toLowerCase(Locale.ROOT))
        .collect(Collectors.joining());
  }

  /** The one with this word, if it is ours. */
  public static Optional<EventReason> of(String word) {
    return Optional.ofNullable(BY_VALUE.get(word));
  }

  public String value() {
    return value;
  }

  public EventType type() {
    return type;
  }

  public String meaning() {
    return meaning;
  }

  public List<Subject> subjects() {
    return subjects;
  }
}
