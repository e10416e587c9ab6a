// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import java.time.Duration;

/**
 * How a client behaves towards one API server.
 *
 * @param retries retries of a failed request by the client library
 * @param watchRetry first pause of an informer after a failure; it grows to 32 times that
 * @param requestsPerSecond sustained rate; {@code burst} requests may come at once
 */
public record ClientSettings(
    Duration connectTimeout,
    Duration requestTimeout,
    int retries,
    Duration watchRetry,
    double requestsPerSecond,
    int burst,
    String userAgent) {

  public ClientSettings {
    if (requestsPerSecond <= 0 || burst < 1) {
      throw new IllegalArgumentException(
          "requests per second must be positive and the burst at least 1");
    }
  }

  /** For remote clusters: a lost connection is retried before the caller sees a failure. */
  public static ClientSettings remote(String userAgent) {
    return new ClientSettings(
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        2,
        Duration.ofMillis(150),
        50,
        100,
        userAgent);
  }

  /** For home, leases and status: the caller retries and must see each failure at once. */
  public ClientSettings withoutRetries() {
    return new ClientSettings(
        connectTimeout, requestTimeout, 0, watchRetry, requestsPerSecond, burst, userAgent);
  }

  /** For a lease: each call must end long before the renew deadline. */
  public ClientSettings forLease(Duration renewDeadline) {
    var half = renewDeadline.dividedBy(2);
    return withoutRetries()
        .withTimeouts(shorter(half, Duration.ofSeconds(2)), shorter(half, Duration.ofSeconds(5)));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  public ClientSettings withTimeouts(Duration connect, Duration request) {
    return new ClientSettings(
        connect, request, retries, watchRetry, requestsPerSecond, burst, userAgent);
  }

  public ClientSettings withRate(double perSecond, int atOnce) {
    return new ClientSettings(
        connectTimeout, requestTimeout, retries, watchRetry, perSecond, atOnce, userAgent);
  }
}
