package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds clusters that are one and the same: the kube-system namespace lives as long as they do. */
final class ApiServerIdentities {
  private record Claim(String uid, ClusterName name) {}

  private final Map<SecretRef, Claim> claims = new HashMap<>();

  /** Another engaged cluster with the same API server. Without the right to look, none is found. */
  Optional<ClusterName> firstOther(Cluster cluster) {
    var uid = uidOf(cluster);
    return uid == null ? Optional.empty() : claim(cluster, uid);
  }

  private synchronized Optional<ClusterName> claim(Cluster cluster, String uid) {
    claims.put(cluster.secret(), new Claim(uid, cluster.name()));
    return claims.values().stream()
        .filter(claim -> claim.uid().equals(uid) && !claim.name().equals(cluster.name()))
        .map(Claim::name)
        .min(ClusterName::compareTo);
  }

  synchronized void forget(SecretRef secret) {
    claims.remove(secret);
  }

  private static @Nullable String uidOf(Cluster cluster) {
    try {
      var namespace = cluster.client().namespaces().withName("kube-system").get();
      return namespace == null ? null : namespace.getMetadata().getUid();
    } catch (KubernetesClientException e) {
      return null;
    }
  }
}
