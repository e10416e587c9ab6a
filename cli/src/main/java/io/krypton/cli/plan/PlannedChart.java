// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.krypton.cli.view.CliException;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore.ChartLoader;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.values.ChartValues;
import org.jspecify.annotations.Nullable;

/** The chart of the plan; loaded once, and only if some release needs it. */
final class PlannedChart {
  private final ChartRef reference;
  private final ChartLoader loader;
  private ChartResult.@Nullable Loaded loaded;

  PlannedChart(ChartRef reference, ChartLoader loader) {
    this.reference = reference;
    this.loader = loader;
  }

  /** The version as asked for, or the newest one, for which the chart must be had. */
  String version() {
    if (reference.version().isEmpty()) {
      return load().version();
    }
    if (!reference.hasExactVersion()) {
      throw notExact(reference.version());
    }
    return reference.version();
  }

  Fingerprint fingerprint(ChartValues chartValues) {
    return Fingerprint.of(reference.repo(), reference.name(), version(), chartValues);
  }

  synchronized ChartResult.Loaded load() {
    if (loaded == null) {
      loaded =
          switch (loader.load(reference)) {
            case ChartResult.Loaded found -> found;
            case ChartResult.VersionInvalid(var version) -> throw notExact(version);
            case ChartResult.VersionNotFound(var message) -> throw CliException.failure(message);
            case ChartResult.DigestMismatch(var message) -> throw CliException.failure(message);
            case ChartResult.ToolUnusable(var message) -> throw CliException.failure(message);
            case ChartResult.NotLoaded(var message) ->
                throw CliException.failure("the chart cannot be loaded: " + message);
            case ChartResult.Loading loading ->
                throw new IllegalStateException("a loader does not answer before it has loaded");
          };
    }
    return loaded;
  }

  private static CliException notExact(String version) {
    return CliException.usage(
        "--chart-version %s is not an exact version; write for example 1.2.3".formatted(version));
  }

  @Override
  public String toString() {
    return "%s/%s:%s".formatted(reference.repo(), reference.name(), version());
  }
}
