// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClusterConnection;

/**
 * One command's access to one cluster.
 *
 * @param clients for further clusters that this one knows the way to
 * @param namespace the one asked for, or that of the context
 */
public record Session(
    ClientFactory clients, ClusterConnection connection, String context, String namespace)
    implements AutoCloseable {

  public KubernetesClient client() {
    return connection.client();
  }

  public String server() {
    return client().getMasterUrl().toString().replaceFirst("/$", "");
  }

  @Override
  public void close() {
    connection.close();
    clients.close();
  }
}
