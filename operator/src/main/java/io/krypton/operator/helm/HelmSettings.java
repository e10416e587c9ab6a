package io.krypton.operator.helm;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How Helm is run.
 *
 * @param binary a path, or a name to look up on {@code PATH}
 * @param concurrency processes at once
 * @param concurrencyPerCluster of these, on one cluster
 * @param overtime what Helm gets beyond its own timeout before it is ended
 * @param slotWait how long an operation waits for its turn before it is {@code Busy}
 * @param closeGrace how long children may take to end on close before they are killed
 * @param environment of this process; only what Helm needs of it is handed on
 */
public record HelmSettings(
    String binary,
    Path dataDir,
    int concurrency,
    int concurrencyPerCluster,
    int historyMax,
    Duration overtime,
    Duration slotWait,
    Duration closeGrace,
    Map<String, String> environment) {

  public HelmSettings {
    if (concurrency < 1 || concurrencyPerCluster < 1 || historyMax < 1) {
      throw new IllegalArgumentException(
          "helm concurrency (%d, per cluster %d) and history (%d) must be at least 1"
              .formatted(concurrency, concurrencyPerCluster, historyMax));
    }
    environment = Map.copyOf(environment);
  }

  /** The defaults on a machine with this many processors. */
  public static HelmSettings defaults(
      Path dataDir, int processors, Map<String, String> environment) {
    var concurrency = Math.max(8, 2 * processors);
    return new HelmSettings(
        "helm",
        dataDir,
        concurrency,
        concurrency / 2,
        5,
        Duration.ofSeconds(10),
        Duration.ofMinutes(3),
        Duration.ofSeconds(3),
        environment);
  }

  public HelmSettings withBinary(String other) {
    return new HelmSettings(
        other,
        dataDir,
        concurrency,
        concurrencyPerCluster,
        historyMax,
        overtime,
        slotWait,
        closeGrace,
        environment);
  }
}
