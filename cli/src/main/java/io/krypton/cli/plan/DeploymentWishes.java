package io.krypton.cli.plan;

import io.krypton.api.Annotations;
import io.krypton.api.deployment.DeploymentReasons;
import io.krypton.api.deployment.KryptonDeployment;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.ReferencedValues;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import java.util.Map;

/** What the KryptonDeployments of home ask of their regions' clusters. */
final class DeploymentWishes {
  private static final String KUBECONFIG_OF_REGION = "-kubeconfig";

  private final Values central;
  private final ReservedNamespaces reserved;
  private final ReferencedValues references;

  /** With values that are read on home. */
  DeploymentWishes(Values central, ReservedNamespaces reserved, ReferencedValues references) {
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

  Wish of(KryptonDeployment deployment, String cluster) {
    var metadata = deployment.getMetadata();
    if (metadata.getDeletionTimestamp() != null) {
      return nothing(deployment, cluster, Verdict.SKIPPED, "it is being deleted");
    }
    if (deployment.getSpec().suspend()) {
      return nothing(deployment, cluster, Verdict.SKIPPED, "suspended");
    }
    if (deployment.getSpec().account().name().isEmpty()) {
      return nothing(deployment, cluster, Verdict.SKIPPED, DeploymentReasons.ACCOUNT_MISSING);
    }
    if (reserved.refuses(metadata.getName())) {
      return nothing(deployment, cluster, Verdict.SKIPPED, "its namespace is reserved");
    }
    var reader = new WorkKey(cluster, metadata.getNamespace(), metadata.getName());
    return switch (references.read(reader, deployment.getSpec().valuesFrom())) {
      case ReferencedValues.Read.Wrong(var problem, var message) ->
          nothing(deployment, cluster, Verdict.UNKNOWN, problem.word() + ": " + message);
      case ReferencedValues.Read.Found(var referenced) ->
          new Wish.Wants(
              new WantedRelease(
                  cluster,
                  shown(deployment),
                  ReleaseName.ofDeployment(metadata.getName()),
                  metadata.getName(),
                  central
                      .overriddenBy(referenced)
                      .overriddenBy(Values.of(deployment.getSpec().values())),
                  BaseValue.oneReplica(),
                  annotations(deployment).get(Annotations.fingerprint(cluster))));
    };
  }

  private static Wish nothing(
      KryptonDeployment deployment, String cluster, Verdict verdict, String why) {
    return new Wish.Nothing(untold(deployment, cluster, verdict, why));
  }

  /** A line about a KryptonDeployment whose release is not planned. */
  static ReleasePlan untold(
      KryptonDeployment deployment, String cluster, Verdict verdict, String why) {
    return ReleasePlan.of(
        cluster,
        shown(deployment),
        ReleaseName.ofDeployment(deployment.getMetadata().getName()).value(),
        deployment.getMetadata().getName(),
        verdict,
        why);
  }

  private static Map<String, String> annotations(KryptonDeployment deployment) {
    var annotations = deployment.getMetadata().getAnnotations();
    return annotations == null ? Map.of() : annotations;
  }

  private static String shown(KryptonDeployment deployment) {
    var metadata = deployment.getMetadata();
    return "kryptondeployment %s/%s".formatted(metadata.getNamespace(), metadata.getName());
  }
}
