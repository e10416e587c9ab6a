// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How Helm is run.
 *
 * @param binary a path, or a name to look up on {@code PATH}
 * @param limits processes at once, in all and on one cluster
 * @param megabytes what one process may have before it collects its garbage
 * @param timeoutGrace what Helm gets beyond its own timeout before it is ended
 * @param closeGrace how long children may take to end on close before they are killed
 * @param environment of this process; only what Helm needs of it is handed on
 */
public record HelmSettings(
    String binary,
    Path dataDir,
    ConcurrencyLimits limits,
    int megabytes,
    int historyMax,
    Duration timeoutGrace,
    Duration closeGrace,
    Map<String, String> environment) {

  public HelmSettings {
    if (historyMax < 1) {
      throw new IllegalArgumentException(
          "helm history (%d) must be at least 1".formatted(historyMax));
    }
    environment = Map.copyOf(environment);
  }

  /** The defaults with this much memory. */
  public static HelmSettings defaults(
      Path dataDir, MemoryPlan memory, Map<String, String> environment) {
    return new HelmSettings(
        "helm",
        dataDir,
        ConcurrencyLimits.sharing(memory.processes()),
        memory.megabytes(),
        5,
        Duration.ofSeconds(10),
        Duration.ofSeconds(3),
        environment);
  }

  public HelmSettings withBinary(String other) {
    return new HelmSettings(
        other, dataDir, limits, megabytes, historyMax, timeoutGrace, closeGrace, environment);
  }
}
