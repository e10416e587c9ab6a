// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key that the API server encrypts with from its metrics, where access is granted. They
 * are large, so they are read seldom; behind a load balancer they are those of any one server.
 */
public final class ApiServerKeyReader {
  private static final Duration REFRESH_INTERVAL = Duration.ofMinutes(10);

  private final KubernetesClient client;
  private @Nullable Duration readAt;
  private String readFor = "";
  private Optional<String> hash = Optional.empty();

  public ApiServerKeyReader(KubernetesClient client) {
    this.client = client;
  }

  /** Reads again when the reported key has changed, or after a while. */
  public synchronized void refresh(@Nullable String reported, ClockReading now) {
    if (reported == null
        || (readAt != null
            && readFor.equals(reported)
            && !now.hasElapsed(readAt, REFRESH_INTERVAL))) {
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

  public synchronized Optional<String> hash() {
    return hash;
  }

  /**
   * Finds in the metrics of an API server the hash of the remote key it last encrypted with. Pure.
   */
  public static final class KeyMetrics {
    private static final String NAME =
        "apiserver_envelope_encryption_key_id_hash_last_timestamp_seconds{";
    private static final String WRITES = "transformation_type=\"to_storage\"";
    private static final Pattern HASH = Pattern.compile("key_id_hash=\"(sha256:[0-9a-f]{64})\"");

    private KeyMetrics() {}

    private record Use(String hash, double time) {}

    public static Optional<String> lastWritten(String metrics) {
      return metrics
          .lines()
          .filter(line -> line.startsWith(NAME) && line.contains(WRITES))
          .map(KeyMetrics::use)
          .flatMap(Optional::stream)
          .max(Comparator.comparingDouble(Use::time))
          .map(Use::hash);
    }

    private static Optional<Use> use(String line) {
      var hash = HASH.matcher(line);
      if (!hash.find()) {
        return Optional.empty();
      }
      try {
        var time = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
        return Optional.of(new Use(hash.group(1), time));
      } catch (NumberFormatException odd) {
        return Optional.empty();
      }
    }
  }
}
