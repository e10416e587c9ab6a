// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

/** A Secret on the home cluster that holds a kubeconfig. */
public record SecretRef(String namespace, String name) implements Comparable<SecretRef> {

  public SecretRef {
    if (namespace.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException("namespace and name of a Secret must not be empty");
    }
  }

  @Override
  public int compareTo(SecretRef other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
