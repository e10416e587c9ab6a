// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.krypton.multicluster.client.RequestObserver;
import java.net.HttpURLConnection;
import java.util.Set;

/**
 * Whether the API server of one cluster answered the last request that was sent to it. Before the
 * first answer it did not.
 */
public final class ApiServerConnectivity implements RequestObserver {
  /** What stands between us and an API server that is away answers like this. */
  private static final Set<Integer> AWAY =
      Set.of(
          NO_ANSWER,
          HttpURLConnection.HTTP_BAD_GATEWAY,
          HttpURLConnection.HTTP_UNAVAILABLE,
          HttpURLConnection.HTTP_GATEWAY_TIMEOUT);

  private final String cluster;
  private volatile boolean answered;

  public ApiServerConnectivity(String cluster) {
    this.cluster = cluster;
  }

  @Override
  public void completed(String name, String verb, int code) {
    if (cluster.equals(name)) {
      answered = !AWAY.contains(code);
    }
  }

  public boolean isConnected() {
    return answered;
  }
}
