// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import java.time.Duration;

/** A view of a client whose requests are sent once: its caller has a retry policy of its own. */
public final class SingleAttempt {
  private SingleAttempt() {}

  /** Shares connections with the given client, which need not be closed a second time. */
  public static KubernetesClient of(KubernetesClient client, Duration timeout) {
    var once =
        new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
            .withRequestTimeout((int) timeout.toMillis())
            .withRequestRetryBackoffLimit(0)
            .build();
    return client.newClient(once).adapt(KubernetesClient.class);
  }
}
