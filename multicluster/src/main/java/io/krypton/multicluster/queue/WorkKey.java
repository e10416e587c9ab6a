// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

/** Names one object on one cluster; the namespace of a cluster-scoped object is empty. */
public record WorkKey(String cluster, String namespace, String name) {
  public WorkKey {
    if (cluster.isEmpty() || name.isEmpty()) {
      throw new IllegalArgumentException(
          "a work key needs a cluster and a name: cluster='%s', name='%s'"
              .formatted(cluster, name));
    }
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? cluster + "/" + name : cluster + "/" + namespace + "/" + name;
  }
}
