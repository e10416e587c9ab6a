// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.event;

import static io.krypton.api.event.EventReason.EventType.NORMAL;
import static io.krypton.api.event.EventReason.EventType.WARNING;
import static io.krypton.api.event.EventReason.Subject.CHART_ROLLOUT;
import static io.krypton.api.event.EventReason.Subject.CLUSTER_OPERATOR;
import static io.krypton.api.event.EventReason.Subject.CONFIG_MAP;
import static io.krypton.api.event.EventReason.Subject.DEPLOYMENT;
import static io.krypton.api.event.EventReason.Subject.KMS_HEALTH;
import static io.krypton.api.event.EventReason.Subject.KRYPTON_DEPLOYMENT;
import static io.krypton.api.event.EventReason.Subject.SECRET;
import static io.krypton.api.event.EventReason.Subject.TENANT;
import static io.krypton.api.event.EventReason.Subject.TENANT_CLASS;

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
  CLUSTER_ENGAGED(NORMAL, "The cluster is connected and watched.", SECRET),
  CLUSTER_RECOVERED(NORMAL, "The cluster is reachable again.", SECRET),
  CLUSTER_DISENGAGED(
      NORMAL,
      "The label was removed: the cluster is no longer watched, nothing on it is deleted.",
      SECRET),
  CLUSTER_UNREACHABLE(
      WARNING, "The cluster does not answer or refuses the credentials; retrying.", SECRET),
  CLUSTER_REJECTED(
      WARNING, "The kubeconfig breaks the policy; the message names the field to correct.", SECRET),
  CLUSTER_DUPLICATE(
      WARNING,
      "Two Secrets lead to the same API server; remove one, or accept two releases for each"
          + " Tenant.",
      SECRET),
  CLUSTER_CREDENTIALS_EXPIRING(
      WARNING, "The credentials expire soon; put a new kubeconfig into the Secret.", SECRET),
  CLUSTER_NOT_SYNCED(
      WARNING, "The objects of the cluster could not be listed in time; retrying.", SECRET),
  CRD_OUTDATED(WARNING, "A definition on the cluster lacks fields of ours; upgrade it.", SECRET),
  CRD_INCOMPATIBLE(
      WARNING,
      "A foreign definition of the same name refuses our status; remove or replace it.",
      SECRET),
  CRD_ENSURE_FAILED(
      WARNING,
      "A definition could not be created; grant that right, or install it yourself.",
      SECRET),
  SELF_CLUSTER_FULL_FILE(
      WARNING, "The whole kubeconfig file of home is stored, with all clusters in it.", SECRET),
  PHASE_SET(
      NORMAL,
      "The phase changed; the message names the new one. What is over within 0.3 s is no phase.",
      TENANT),
  FINGERPRINT_UPDATED(NORMAL, "What was rolled out is recorded.", TENANT),
  FINGERPRINT_UPDATE_FAILED(
      WARNING, "What was rolled out could not be recorded; retrying.", TENANT),
  HELM_SKIP(NORMAL, "Chart and values are the same as before, so Helm did not run.", TENANT),
  HELM_INSTALL_START(NORMAL, "Helm begins to install the release.", TENANT),
  HELM_UPGRADE_START(NORMAL, "Helm begins to upgrade the release.", TENANT),
  HELM_INSTALLED(NORMAL, "The release is installed.", TENANT),
  HELM_UPGRADED(NORMAL, "The release is upgraded.", TENANT),
  HELM_INSTALL_FAILED(
      WARNING, "Helm could not install the release; the message holds its error.", TENANT),
  HELM_UPGRADE_FAILED(
      WARNING, "Helm could not upgrade the release; the message holds its error.", TENANT),
  HELM_CONFIG_INIT_FAILED(
      WARNING, "Helm could not start; check the operator's Helm and data directory.", TENANT),
  CHART_NOT_LOADED(WARNING, "Chart unavailable; retrying.", TENANT),
  CHART_VERSION_NOT_FOUND(WARNING, "The repository does not have the chart version.", TENANT),
  CHART_VERSION_INVALID(WARNING, "The chart version is not an exact SemVer.", TENANT),
  CHART_DIGEST_MISMATCH(
      WARNING, "The archive does not match the digest in the index; nothing is installed.", TENANT),
  WORKSPACE_CREATED(NORMAL, "The namespace was created; it is deleted with the Tenant.", TENANT),
  WORKSPACE_EXISTS(
      NORMAL, "The namespace existed before; it stays when the Tenant is deleted.", TENANT),
  WORKSPACE_CREATE_FAILED(WARNING, "The namespace could not be created.", TENANT),
  WORKSPACE_DELETE_REQUESTED(NORMAL, "The namespace is being deleted.", TENANT),
  CLUSTER_REF_SKIPPED(
      NORMAL,
      "spec.clusterRef names another cluster: the Tenant is skipped here, its release stays. Only"
          + " where that name leads to this very server and the release under it is ready, the"
          + " release under this name is removed.",
      TENANT),
  FINALIZER_ADDED(
      NORMAL,
      "The finalizer was added: releases are uninstalled before the object is deleted.",
      KRYPTON_DEPLOYMENT),
  ACCOUNT_VALIDATED(NORMAL, "spec.account.name is set.", KRYPTON_DEPLOYMENT),
  ACCOUNT_MISSING(WARNING, "Set spec.account.name.", KRYPTON_DEPLOYMENT),
  ROUTING(NORMAL, "The region was chosen; the message names it.", KRYPTON_DEPLOYMENT),
  EDGE_UNAVAILABLE(
      WARNING,
      "The cluster of the region cannot be used; the message says why.",
      KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_CREATED(
      NORMAL, "The namespace was created on the cluster of the region.", KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_EXISTS(
      NORMAL, "The namespace existed before; it is used and stays.", KRYPTON_DEPLOYMENT),
  EDGE_NAMESPACE_DELETE_REQUESTED(NORMAL, "The namespace is being deleted.", KRYPTON_DEPLOYMENT),
  HELM_DEPLOYED(NORMAL, "The release is installed or upgraded.", KRYPTON_DEPLOYMENT),
  HELM_DEPLOY_FAILED(
      WARNING,
      "Helm could not install or upgrade the release; the message holds its error.",
      KRYPTON_DEPLOYMENT),
  HEALTH_CHECK_FAILED(WARNING, "The release could not be inspected.", KRYPTON_DEPLOYMENT),
  READY(NORMAL, "The release and its workloads are ready.", KRYPTON_DEPLOYMENT),
  NOT_READY(NORMAL, "The message names the workloads that are not ready.", KRYPTON_DEPLOYMENT),
  SUSPENDED(
      NORMAL,
      "Nothing is installed, upgraded or repaired until it is resumed.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  RESUMED(NORMAL, "Reconciliation is resumed.", TENANT, KRYPTON_DEPLOYMENT),
  DRIFT_DETECTED(
      WARNING,
      "Objects of the release were changed or are missing; they are not repaired.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  DRY_RUN_REFUSED(
      WARNING,
      "The server refuses to compare an object with its manifest; the message names it and says"
          + " why.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  API_VERSION_NOT_SERVED(
      WARNING,
      "The cluster no longer serves the API version of an object; it is neither compared nor"
          + " repaired.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  REPAIR_TRIGGERED(
      WARNING,
      "Objects of the release were changed or deleted and are being restored.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  RELEASE_MISSING(
      WARNING, "The release is missing; it is installed again.", TENANT, KRYPTON_DEPLOYMENT),
  RELEASE_NOT_INSTALLED(
      WARNING,
      "The release was uninstalled and its history kept, as helm uninstall --keep-history does; it"
          + " is installed again.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  RELEASE_LOCKED(
      NORMAL,
      "Another Helm operation holds the release; waiting for it.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  RELEASE_UNLOCKED(
      WARNING,
      "The release was locked by a Helm operation that died; it is unlocked.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  HELM_ROLLED_BACK(
      WARNING,
      "An upgrade failed; the previous revision is deployed again.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  NAMESPACE_CONFLICT(
      WARNING, "An older object already uses the namespace.", TENANT, KRYPTON_DEPLOYMENT),
  RESERVED_NAMESPACE(
      WARNING, "The namespace is reserved; choose another.", TENANT, KRYPTON_DEPLOYMENT),
  VALUES_NOT_FOUND(
      WARNING,
      "A referenced ConfigMap or Secret is missing; the message names it.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  VALUES_INVALID(
      WARNING,
      "Referenced values are not a YAML map; the message names them.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  WORKLOADS_NOT_READY(
      WARNING,
      "Workloads did not become ready in time; the message names them.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  STATUS_UPDATE_FAILED(
      WARNING, "The status could not be written; retrying.", TENANT, KRYPTON_DEPLOYMENT),
  DELETE_STARTED(NORMAL, "The release is being removed.", TENANT, KRYPTON_DEPLOYMENT),
  HELM_UNINSTALLED(NORMAL, "The release is removed.", TENANT, KRYPTON_DEPLOYMENT),
  HELM_UNINSTALL_FAILED(
      WARNING, "Helm could not uninstall the release; retrying.", TENANT, KRYPTON_DEPLOYMENT),
  WORKSPACE_KEPT(
      WARNING,
      "The namespace was made for the object and stays, because it holds releases of others.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  WORKSPACE_STUCK(
      WARNING,
      "The namespace does not terminate; its conditions say what blocks it.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  RELEASE_ORPHANED(
      NORMAL,
      "The object is deleted and its release is kept, by its deletion policy.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  FINALIZER_REMOVED(
      NORMAL, "Clean-up is complete; the finalizer is removed.", TENANT, KRYPTON_DEPLOYMENT),
  KMS_PLUGINS_DEGRADED(
      WARNING,
      "A plugin fails or a node's report is stale; the message names node, key and cause.",
      KMS_HEALTH),
  KMS_PLUGINS_RECOVERED(NORMAL, "All plugins of all nodes work again.", KMS_HEALTH),
  KMS_KEYS_CONVERGED(
      NORMAL,
      "All nodes encrypt with the same remote key; the next rotation may begin.",
      KMS_HEALTH),
  KMS_KEYS_DIVERGED(
      WARNING, "Nodes encrypt with different remote keys; the message names them.", KMS_HEALTH),
  KMS_OLD_KEY_UNREADABLE(
      WARNING,
      "Plugins cannot decrypt data of an older remote key; the message names it. List it in"
          + " spec.retiredKeyHashes if that is meant.",
      KMS_HEALTH),
  REMOTE_KEY_ID_REUSED(
      WARNING,
      "A plugin names a key id that was left before; plugins must not reuse ids.",
      KMS_HEALTH),
  CLOCK_SKEW(
      WARNING, "The clock of a node is wrong by more than a minute; correct it.", KMS_HEALTH),
  DUPLICATE_REPORTER(
      WARNING, "Two reporters use the same node name; give each its own.", KMS_HEALTH),
  UNEXPECTED_REPORTER(
      WARNING, "A node reports that is not expected; expect it or stop its reporter.", KMS_HEALTH),
  ORPHAN_REMOVED(NORMAL, "The report of a node that no longer exists was removed.", KMS_HEALTH),
  OPERATOR_STATUS_CHANGED(
      NORMAL, "Conditions of the ClusterOperator changed (OpenShift).", CLUSTER_OPERATOR),
  OPERATOR_VERSION_CHANGED(
      NORMAL, "The version in the ClusterOperator changed (OpenShift).", CLUSTER_OPERATOR),
  STATUS_NOT_FOUND(
      WARNING,
      "An object that feeds the ClusterOperator does not exist (OpenShift).",
      CLUSTER_OPERATOR),
  TLS_PROFILE_PUBLISHED(
      NORMAL, "The cluster's TLS profile is published under a new hash (OpenShift).", CONFIG_MAP),
  TLS_PROFILE_REFUSED(
      WARNING,
      "The cluster's TLS profile cannot be served; the previous one stays in force (OpenShift).",
      CONFIG_MAP),
  TLS_PROFILE_ROLLED(
      NORMAL,
      "The profile was applied to the Deployment, which rolls out (OpenShift).",
      DEPLOYMENT),
  RECREATE_STRATEGY(
      WARNING,
      "Each new profile interrupts this Deployment; use RollingUpdate (OpenShift).",
      DEPLOYMENT),
  ROLLOUT_STARTED(
      NORMAL,
      "A change of the class is rolled out; the message names both versions.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_WAVE_COMPLETED(
      NORMAL,
      "A wave has passed; the message names it and the next one.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_SOAKING(
      NORMAL,
      "All of a wave is ready and must stay so until the time in the message.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_AWAITING_APPROVAL(
      WARNING,
      "A wave has soaked; create a RolloutApproval, or run krypton rollout approve.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_APPROVED(
      NORMAL,
      "A wave was approved; the message names the RolloutApproval.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_HALTED(
      WARNING,
      "More releases failed than may; nothing more is updated until somebody retries, aborts or changes the class.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_ROLLING_BACK(
      WARNING,
      "The waves go back to the stable revision; the message says why.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_ROLLED_BACK(
      WARNING,
      "All releases are back on the stable revision; the other one is refused until the class changes or somebody retries.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_COMPLETED(
      NORMAL,
      "All waves have passed; the revision is the stable one now.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_SUPERSEDED(
      NORMAL, "The class changed; a newer rollout took over.", TENANT_CLASS, CHART_ROLLOUT),
  ROLLOUT_PAUSED(
      NORMAL,
      "Somebody paused the rollout; what runs ends, nothing new begins.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_RESUMED(NORMAL, "Somebody resumed the rollout.", TENANT_CLASS, CHART_ROLLOUT),
  ROLLOUT_ABORTED(
      WARNING,
      "Somebody aborted the rollout; releases stay where they are.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_RETRIED(
      NORMAL,
      "Somebody asked to try again what had failed or was refused.",
      TENANT_CLASS,
      CHART_ROLLOUT),
  ROLLOUT_PROMOTED(
      NORMAL, "Somebody asked for this one ahead of its wave.", TENANT, KRYPTON_DEPLOYMENT),
  CLASS_INVALID(
      WARNING,
      "The class cannot be rolled out; the message names the field to correct.",
      TENANT_CLASS),
  CLASS_IN_USE(
      WARNING,
      "The class is being deleted and is still used; the message names who uses it.",
      TENANT_CLASS),
  CLASS_OVERRIDES_FLAGS(
      NORMAL,
      "This object is the class default; the chart flags of the operator no longer count.",
      TENANT_CLASS),
  VERSION_REPUSHED(
      WARNING,
      "The chart was published again under the same version with another content; it is refused.",
      TENANT_CLASS),
  DOWNGRADE_REFUSED(
      WARNING,
      "The version is older than what is rolled out, and the class does not allow that.",
      TENANT_CLASS,
      TENANT,
      KRYPTON_DEPLOYMENT),
  CLASS_NOT_FOUND(
      WARNING,
      "There is no class of the name in spec.className; nothing is changed until there is.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  CLASS_NOT_ALLOWED(
      WARNING,
      "The class may not be used on this cluster; its allow.clusters says where.",
      TENANT,
      KRYPTON_DEPLOYMENT),
  PIN_NOT_ALLOWED(
      WARNING,
      "spec.pin is set and the class does not allow it; the release stays as it is.",
      TENANT,
      KRYPTON_DEPLOYMENT);

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
    DEPLOYMENT("Deployment"),
    TENANT_CLASS("TenantClass"),
    CHART_ROLLOUT("ChartRollout");

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
