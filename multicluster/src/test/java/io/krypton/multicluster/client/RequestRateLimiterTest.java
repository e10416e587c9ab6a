// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.RequestRateLimiter.TokenBucket;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestRateLimiterTest {
  private final RequestRateLimiter limits =
      new RequestRateLimiter(new TokenBucket(1, 1, () -> 0), new TokenBucket(1, 1, () -> 0));

  @ParameterizedTest(name = "{0}: event = {1}")
  @CsvSource({
    "/api/v1/namespaces/a/events, true",
    "/api/v1/namespaces/a/events/tenant.1, true",
    "/k8s/clusters/c-1/api/v1/namespaces/a/events, true",
    "/api/v1/namespaces/events, false",
    "/api/v1/namespaces/events/secrets, false",
    "/api/v1/namespaces/a/secrets, false",
    "/api/v1/namespaces/a/configmaps/events-of-today, false",
  })
  void events_have_a_limit_of_their_own(String path, boolean event) {
    var limit = limits.of(URI.create("https://cluster" + path + "?fieldManager=x"));

    assertThat(limit).isSameAs(event ? limits.events() : limits.others());
  }
}
