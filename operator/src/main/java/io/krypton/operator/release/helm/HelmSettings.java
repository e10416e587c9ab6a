// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.MemoryPlan.Share;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * How Helm is run.
 *
 * @param cli what Helm processes may use: how many at once, and MiB for each
 * @param worker what the worker may use: operations at once, and MiB for all of them
 * @param timeoutGrace what Helm gets beyond its own timeout before it is ended
 * @param closeGrace how long operations may take to end on close before processes are killed
 * @param environment of this process; only what Helm needs of it is handed on
 */
public record HelmSettings(
    Programs programs,
    Path dataDir,
    Limits cli,
    Limits worker,
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

  /** Which engine runs operations. */
  public enum EngineChoice {
    AUTO,
    WORKER,
    CLI
  }

  /**
   * Which engine, and where its program is.
   *
   * @param helm a path, or a name to look up on {@code PATH}
   * @param worker the same for the worker
   */
  public record Programs(EngineChoice engine, String helm, String worker) {}

  /** What an engine may use. */
  public record Limits(ConcurrencyLimits operations, int megabytes) {

    /** Where one cluster may have all but the reserve. */
    public static Limits sharing(Share share) {
      return new Limits(ConcurrencyLimits.sharing(share.operations()), share.megabytes());
    }
  }

  /** The defaults with this much memory. */
  public static HelmSettings defaults(
      Programs programs, Path dataDir, MemoryPlan memory, Map<String, String> environment) {
    return new HelmSettings(
        programs,
        dataDir,
        Limits.sharing(memory.cli()),
        Limits.sharing(memory.worker()),
        5,
        Duration.ofSeconds(10),
        Duration.ofSeconds(3),
        environment);
  }
}
