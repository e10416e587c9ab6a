// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.reconcile.ReferencedValues;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The deployments of the home cluster, and what is needed to read and write them there. */
record HomeDeployments(
    KubernetesClient client,
    ObjectCache<KryptonDeployment> deployments,
    StatusWriter<KryptonDeployment> statuses,
    EventRecorder events,
    ReferencedValues references,
    LabelledSecrets labelledSecrets) {
  private static final String BY_NAME = "name";
  private static final String BY_SECRET = "secret";
  private static final String BY_UID = "uid";

  /** The indexes that the cache of deployments must have. */
  static Map<String, Function<KryptonDeployment, List<String>>> indexes(
      RegionRouting regionRouting) {
    return Map.of(
        BY_NAME,
        deployment -> List.of(deployment.getMetadata().getName()),
        BY_UID,
        deployment -> List.of(deployment.getMetadata().getUid()),
        BY_SECRET,
        deployment ->
            regionRouting.allTargets(deployment).stream()
                .map(kubeconfigRef -> kubeconfigRef.secret().toString())
                .distinct()
                .toList());
  }

  static Owner ownerOf(KryptonDeployment deployment) {
    var metadata = deployment.getMetadata();
    return new Owner(
        Owner.Kind.KRYPTON_DEPLOYMENT,
        metadata.getNamespace(),
        metadata.getName(),
        metadata.getUid(),
        Instant.parse(metadata.getCreationTimestamp()));
  }

  /** Whether a deployment with this UID exists. */
  boolean hasUid(String uid) {
    return !deployments.byIndex(BY_UID, uid).isEmpty();
  }

  /** All that want a namespace of this name, on whatever cluster. */
  List<KryptonDeployment> byName(String name) {
    return deployments.byIndex(BY_NAME, name);
  }

  /** All that go, went or are to go to the cluster of this Secret. */
  List<KryptonDeployment> referringTo(SecretRef secret) {
    return deployments.byIndex(BY_SECRET, secret.toString());
  }

  /**
   * All deployments of this name for the same cluster. What nothing is deployed for has no right to
   * a namespace.
   */
  Stream<Owner> claimants(String name, KubeconfigRef kubeconfigRef, RegionRouting regionRouting) {
    return byName(name).stream()
        .filter(other -> !other.getSpec().account().name().isEmpty())
        .filter(other -> regionRouting.desiredTarget(other).secret().equals(kubeconfigRef.secret()))
        .map(HomeDeployments::ownerOf);
  }
}
