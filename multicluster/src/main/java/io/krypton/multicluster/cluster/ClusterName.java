// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

/** The name of a cluster, unique among those a registry holds. */
public record ClusterName(String value) implements Comparable<ClusterName> {

  public ClusterName {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("cluster name must not be empty");
    }
  }

  /**
   * A cluster is named after its Secret. Secrets of other namespaces are prefixed with the
   * namespace; a Secret's name holds no slash, so the two forms never collide.
   */
  public static ClusterName of(SecretRef secret, String discoveryNamespace) {
    return new ClusterName(
        secret.namespace().equals(discoveryNamespace) ? secret.name() : secret.toString());
  }

  @Override
  public int compareTo(ClusterName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
