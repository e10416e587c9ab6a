// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.kubeconfig.LocalKubeconfig;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A client for home. It may not answer yet: its users retry.
 *
 * @param credentials the access that the client uses; the policy may refuse to hand it on, as with
 *     credential programs
 * @param newConnection makes a further connection with the same access, which its caller closes;
 *     for a lease, whose renewals must not queue behind other requests
 * @param fenced makes a client on the same connections for what only the leader writes; it asks
 *     before each write whether it still may
 */
public record HomeConnection(
    KubernetesClient client,
    LocalKubeconfig credentials,
    Function<ClientSettings, ClusterConnection> newConnection,
    Function<BooleanSupplier, KubernetesClient> fenced) {

  @Override
  public String toString() {
    return "HomeConnection[" + client.getMasterUrl() + "]";
  }
}
