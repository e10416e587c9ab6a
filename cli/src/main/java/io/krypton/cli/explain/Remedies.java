// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.explain;

import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import java.util.Map;
import java.util.Optional;

/** One sentence for each reason of a condition: what to do about it. */
public final class Remedies {
  private static final Map<String, String> BY_REASON =
      Map.ofEntries(
          // All is well, or will be.
          Map.entry(RolloutReasons.DEPLOYED, "Nothing to do."),
          Map.entry(TenantReasons.INSTALLED, "Nothing to do."),
          Map.entry(TenantReasons.UPGRADED, "Nothing to do."),
          Map.entry(TenantReasons.NO_CHANGE, "Nothing to do."),
          Map.entry(TenantReasons.INSTALL_COMPLETE, "Nothing to do."),
          Map.entry(TenantReasons.UPGRADE_COMPLETE, "Nothing to do."),
          Map.entry(TenantReasons.RESOLVED, "Nothing to do: an earlier error is over."),
          Map.entry(RolloutReasons.IDLE, "Nothing to do."),
          Map.entry(RolloutReasons.NOT_STALLED, "Nothing to do."),
          Map.entry(RolloutReasons.PROGRESSING, "Wait: the operator is working on it."),
          Map.entry(TenantReasons.INSTALLING, "Wait: Helm installs the release."),
          Map.entry(TenantReasons.UPGRADING, "Wait: Helm upgrades the release."),
          Map.entry(
              TenantReasons.UNLOCKING,
              "Wait: the operator frees the release from a Helm run that was cut off."),
          Map.entry(
              RolloutReasons.RELEASE_LOCKED,
              "Wait: another Helm run works on the release; if none does, the operator takes over"
                  + " when its time is up."),
          Map.entry(
              RolloutReasons.REPAIR_TRIGGERED,
              "Wait: objects that somebody changed or deleted are put back; if it comes again, find"
                  + " out who changes them, or annotate them with"
                  + " mesh.openkcm.io/drift-detection=disabled."),
          Map.entry(
              RolloutReasons.SUSPENDED,
              "Run 'krypton resume' with this object when changes may be rolled out again."),
          Map.entry(RolloutReasons.CHECKED, "Nothing to do."),
          Map.entry(
              RolloutReasons.DRY_RUN_REFUSED,
              "The release runs, but the server does not let it be compared with its chart: remove"
                  + " what the message names (an edit, a policy, a missing right), or annotate the"
                  + " object with mesh.openkcm.io/drift-detection=disabled; it is asked again with"
                  + " growing pauses."),
          Map.entry(
              RolloutReasons.API_VERSION_NOT_SERVED,
              "The release runs, but its chart uses an API version that the cluster has dropped:"
                  + " start the operator with a --chart-version that knows the new one."),
          // Workloads
          Map.entry(
              RolloutReasons.WAITING_FOR_WORKLOADS,
              "Wait for the pods; 'kubectl -n WORKSPACE get pods,events' shows what they wait"
                  + " for."),
          Map.entry(
              RolloutReasons.NOT_READY,
              "Look at the workloads that are named: 'kubectl -n WORKSPACE describe' tells why"
                  + " their pods do not start."),
          Map.entry(
              RolloutReasons.WORKLOADS_NOT_READY,
              "The pods did not become ready in time: look at them with 'kubectl -n WORKSPACE get"
                  + " pods,events', then correct values or image."),
          // Helm
          Map.entry(
              TenantReasons.INSTALL_FAILED,
              "Read Helm's message above, correct spec.values, or the chart and its values at the"
                  + " operator; each change is tried at once."),
          Map.entry(
              TenantReasons.UPGRADE_FAILED,
              "Read Helm's message above, correct spec.values, or the chart and its values at the"
                  + " operator; the release before it keeps running."),
          Map.entry(
              DeploymentReasons.HELM_FAILED,
              "Read Helm's message above and correct spec.values, or the chart and its values at"
                  + " the operator."),
          Map.entry(
              DeploymentReasons.HELM_UNINSTALL_FAILED,
              "Read Helm's message above; remove what blocks the uninstall on the region's cluster,"
                  + " it is tried again on its own."),
          Map.entry(
              TenantReasons.HELM_CONFIG_INIT_FAILED,
              "Helm could not begin: check --helm-engine and --data-dir of the operator, and the"
                  + " kubeconfig Secret of the cluster."),
          Map.entry(
              RolloutReasons.PROGRESSING_WITH_RETRY,
              "The operator tries again on its own with growing pauses; 'krypton reconcile' makes"
                  + " it try now."),
          Map.entry(
              RolloutReasons.STALLED,
              "It failed five times or can only be cured by a change; after the change 'krypton"
                  + " reconcile' makes the operator try at once."),
          // Chart
          Map.entry(
              TenantReasons.CHART_NOT_LOADED,
              "Check that the operator reaches --chart-repo; it goes on trying."),
          Map.entry(
              TenantReasons.VERSION_NOT_FOUND,
              "Publish that version, or start the operator with a --chart-version that the"
                  + " repository has."),
          Map.entry(
              TenantReasons.VERSION_INVALID,
              "Start the operator with an exact --chart-version, for example 1.2.3."),
          Map.entry(
              TenantReasons.CHART_DIGEST_MISMATCH,
              "What the repository serves is not what its index promises: ask whoever runs it; do"
                  + " not trust that chart."),
          // Namespaces
          Map.entry(
              TenantReasons.WORKSPACE_CREATE_FAILED,
              "The namespace could not be created: read the message, then give the operator's"
                  + " kubeconfig the right to create namespaces, or correct the quota."),
          Map.entry(
              RolloutReasons.NAMESPACE_CONFLICT,
              "That namespace is not for this object: choose another name or spec.workspace, delete"
                  + " the other object that has it, or label a namespace that was there before with"
                  + " mesh.openkcm.io/workspace=allowed."),
          Map.entry(
              RolloutReasons.RESERVED_NAMESPACE,
              "Choose a name or spec.workspace that is not default, kube-…, openshift… or the"
                  + " operator's own namespace."),
          Map.entry(
              RolloutReasons.WORKSPACE_TERMINATING,
              "Wait until the namespace is gone; 'kubectl get namespace WORKSPACE -o yaml' shows"
                  + " what holds it."),
          Map.entry(
              RolloutReasons.DELETING,
              "Wait: the release is being removed; if it takes long, the message and the namespace"
                  + " tell what holds it."),
          // Values
          Map.entry(
              RolloutReasons.VALUES_NOT_FOUND,
              "Create the ConfigMap or Secret that spec.valuesFrom names, in the namespace of this"
                  + " object, or mark the reference optional."),
          Map.entry(
              RolloutReasons.VALUES_INVALID,
              "Correct the YAML that the message names: values are a map, one key per line."),
          // Class
          Map.entry(
              RolloutReasons.CLASS_NOT_FOUND,
              "Create the TenantClass that spec.className names, in the operator's namespace on"
                  + " home; what is installed stays as it is until then."),
          Map.entry(
              RolloutReasons.CLASS_NOT_ALLOWED,
              "The class is not for this cluster: use another class, or have allow.clusters of the"
                  + " TenantClass match the labels of the cluster's kubeconfig Secret."),
          Map.entry(
              RolloutReasons.PIN_NOT_ALLOWED,
              "Remove spec.pin, or have allow.pinning of the TenantClass say true."),
          Map.entry(
              RolloutReasons.DOWNGRADE_REFUSED,
              "Choose a version that is not older than what is rolled out, or have allow.downgrade"
                  + " of the TenantClass say true."),
          // Place
          Map.entry(
              TenantReasons.CLUSTER_REF_MISMATCH,
              "spec.clusterRef names another cluster: create the Tenant there, or correct or remove"
                  + " the reference. What was rolled out here stays until you remove it."),
          Map.entry(
              DeploymentReasons.ACCOUNT_MISSING,
              "Set spec.account.name: nothing is deployed without an account."),
          Map.entry(
              DeploymentReasons.EDGE_UNAVAILABLE,
              "The region's cluster cannot be used: 'krypton clusters' on home tells why; check the"
                  + " kubeconfig Secret that spec.region leads to."),
          Map.entry(
              DeploymentReasons.HEALTH_CHECK_FAILED,
              "The release could not be looked at: check that the region's cluster answers and that"
                  + " the operator may read the release's objects."));

  private Remedies() {}

  public static Optional<String> of(String reason) {
    return Optional.ofNullable(BY_REASON.get(reason));
  }
}
