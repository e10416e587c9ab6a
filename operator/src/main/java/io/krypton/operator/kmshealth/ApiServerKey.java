package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.operator.kmshealth.convergence.KeyMetrics;
import io.krypton.operator.kmshealth.evidence.Moment;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the API server itself says about the key it encrypts with, where we may read its metrics.
 * They are large, so they are read seldom; behind a load balancer they are those of any one server.
 */
final class ApiServerKey {
  private static final Duration SELDOM = Duration.ofMinutes(10);

  private final KubernetesClient client;
  private @Nullable Duration readAt;
  private String readFor = "";
  private Optional<String> hash = Optional.empty();

  ApiServerKey(KubernetesClient client) {
    this.client = client;
  }

  /** Reads again when the reported key has changed, or after a while. */
  synchronized void refresh(@Nullable String reported, Moment now) {
    if (reported == null
        || (readAt != null && readFor.equals(reported) && !now.isOver(readAt, SELDOM))) {
      return;
    }
    readAt = now.uptime();
    readFor = reported;
    try {
      hash = Optional.ofNullable(client.raw("/metrics")).flatMap(KeyMetrics::lastWritten);
    } catch (KubernetesClientException notReadable) {
      hash = Optional.empty();
    }
  }

  synchronized Optional<String> hash() {
    return hash;
  }
}
