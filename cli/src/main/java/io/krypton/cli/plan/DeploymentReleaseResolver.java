// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.krypton.api.Annotations;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.cli.plan.PlannedRelease.WantedRelease;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.util.Map;

/** What the KryptonDeployments of home ask of their regions' clusters. */
final class DeploymentReleaseResolver {
  private static final String KUBECONFIG_OF_REGION = "-kubeconfig";

  private final ChartValues central;
  private final ReservedNamespaces reserved;
  private final ReferencedValues references;

  /** With values that are read on home. */
  DeploymentReleaseResolver(
      ChartValues central, ReservedNamespaces reserved, ReferencedValues references) {
    this.central = central;
    this.reserved = reserved;
    this.references = references;
  }

  /** The Secret that leads to the cluster of a region: in use, else named, else by convention. */
  static SecretRef target(KryptonDeployment deployment, String homeNamespace) {
    var inUse = deployment.getStatus().target();
    if (inUse != null && inUse.matches("[^/]+/[^/]+")) {
      return new SecretRef(
          inUse.substring(0, inUse.indexOf('/')), inUse.substring(inUse.indexOf('/') + 1));
    }
    var region = deployment.getSpec().region();
    var named = region.kubeconfig() == null ? null : region.kubeconfig().secret();
    if (named != null && named.name() != null && !named.name().isEmpty()) {
      var namespace = named.namespace();
      return new SecretRef(
          namespace == null || namespace.isEmpty() ? homeNamespace : namespace, named.name());
    }
    var older = region.kubeconfigSecretName();
    return new SecretRef(
        homeNamespace,
        older == null || older.isEmpty() ? region.name() + KUBECONFIG_OF_REGION : older);
  }

  PlannedRelease resolve(KryptonDeployment deployment, String cluster) {
    var metadata = deployment.getMetadata();
    if (metadata.getDeletionTimestamp() != null) {
      return notPlanned(deployment, cluster, Verdict.SKIPPED, "it is being deleted");
    }
    if (deployment.getSpec().suspend()) {
      return notPlanned(deployment, cluster, Verdict.SKIPPED, "suspended");
    }
    if (deployment.getSpec().account().name().isEmpty()) {
      return notPlanned(deployment, cluster, Verdict.SKIPPED, DeploymentReasons.ACCOUNT_MISSING);
    }
    if (reserved.rejects(metadata.getName())) {
      return notPlanned(deployment, cluster, Verdict.SKIPPED, "its namespace is reserved");
    }
    var reader = new WorkKey(cluster, metadata.getNamespace(), metadata.getName());
    return switch (references.read(reader, deployment.getSpec().valuesFrom())) {
      case ReferencedValues.ReadResult.Invalid(var failureReason, var message) ->
          notPlanned(deployment, cluster, Verdict.UNKNOWN, failureReason.value() + ": " + message);
      case ReferencedValues.ReadResult.Found(var referenced) ->
          new PlannedRelease.Wanted(
              new WantedRelease(
                  cluster,
                  displayName(deployment),
                  ReleaseName.ofDeployment(metadata.getName()),
                  metadata.getName(),
                  central
                      .mergedWith(referenced)
                      .mergedWith(ChartValues.of(deployment.getSpec().values())),
                  DefaultValue.oneReplica(),
                  annotations(deployment).get(Annotations.fingerprint(cluster))));
    };
  }

  private static PlannedRelease notPlanned(
      KryptonDeployment deployment, String cluster, Verdict verdict, String why) {
    return new PlannedRelease.NotPlanned(unplanned(deployment, cluster, verdict, why));
  }

  /** A line about a KryptonDeployment whose release is not planned. */
  static ReleasePlan unplanned(
      KryptonDeployment deployment, String cluster, Verdict verdict, String why) {
    return ReleasePlan.of(
        cluster,
        displayName(deployment),
        ReleaseName.ofDeployment(deployment.getMetadata().getName()).value(),
        deployment.getMetadata().getName(),
        verdict,
        why);
  }

  private static Map<String, String> annotations(KryptonDeployment deployment) {
    var annotations = deployment.getMetadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }

  private static String displayName(KryptonDeployment deployment) {
    var metadata = deployment.getMetadata();
    return "kryptondeployment %s/%s".formatted(metadata.getNamespace(), metadata.getName());
  }
}
