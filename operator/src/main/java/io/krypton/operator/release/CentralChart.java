// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.values.ChartValues;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one chart that is rolled out everywhere. */
public final class CentralChart {
  private static final Logger log = LoggerFactory.getLogger(CentralChart.class);

  private final ChartRef chart;
  private final ChartStore store;
  private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

  public CentralChart(ChartRef chart, ChartStore store) {
    this.chart = chart;
    this.store = store;
  }

  /** Somebody who asked for the chart in vain: an owner, and where it is rolled out. */
  public record Waiter(Owner.Kind kind, String cluster, String namespace, String name) {
    static Waiter of(Owner owner, String cluster) {
      return new Waiter(owner.kind(), cluster, owner.namespace(), owner.name());
    }
  }

  /** What a rollout needs to know of it before it needs the chart itself. */
  sealed interface VersionLookup {
    record Found(String version) implements VersionLookup {}

    record NotLoaded(ChartResult result) implements VersionLookup {}
  }

  /** A fixed version is known without the repository; the newest one is not. */
  VersionLookup version(Waiter waiter, @Nullable String request) {
    if (!chart.version().isEmpty()) {
      return chart.hasExactVersion()
          ? new VersionLookup.Found(chart.version())
          : new VersionLookup.NotLoaded(new ChartResult.VersionInvalid(chart.version()));
    }
    return switch (load(waiter, request)) {
      case ChartResult.Loaded loaded -> new VersionLookup.Found(loaded.version());
      case ChartResult other -> new VersionLookup.NotLoaded(other);
    };
  }

  Fingerprint fingerprint(String version, ChartValues chartValues) {
    return Fingerprint.of(chart.repo(), chart.name(), version, chartValues);
  }

  /**
   * Never waits.
   *
   * @param request by which a user asked for a run of this owner, if one did
   */
  ChartResult load(Waiter waiter, @Nullable String request) {
    // Before the lookup: a chart loaded right after it must find the waiter here.
    waiters.add(waiter);
    var result = store.chart(chart, request == null ? null : waiter + "@" + request);
    if (result instanceof ChartResult.Loaded) {
      waiters.remove(waiter);
    }
    return result;
  }

  /** It wants no chart any more. */
  void forget(Waiter waiter) {
    waiters.remove(waiter);
  }

  /** Those who asked in vain since the last call, each once. */
  public List<Waiter> drainWaiters() {
    return List.copyOf(waiters).stream().filter(waiters::remove).toList();
  }

  /** The result of a rollout that needs the chart and does not get it. */
  static RolloutResult unavailable(ChartResult chart) {
    return switch (chart) {
      case ChartResult.Loading loading -> new Waiting(WaitReason.CHART_LOADING, null);
      case ChartResult.VersionInvalid(var version) ->
          new Failed(
              FailureReason.VERSION_INVALID,
              "chart version '%s' is not a version; set --chart-version to one like 1.2.3"
                  .formatted(version));
      case ChartResult.VersionNotFound(var message) ->
          new Failed(FailureReason.VERSION_NOT_FOUND, message);
      case ChartResult.DigestMismatch(var message) ->
          new Failed(FailureReason.CHART_DIGEST_MISMATCH, message);
      case ChartResult.NotLoaded(var message) -> {
        log.atInfo().log("chart not loaded; skipping helm action");
        yield new Failed(
            FailureReason.CHART_NOT_LOADED, "chart not loaded; repo unreachable? " + message);
      }
      case ChartResult.ToolUnusable(var message) ->
          new Failed(FailureReason.HELM_CONFIG_INIT_FAILED, message);
      case ChartResult.Loaded loaded -> throw new IllegalArgumentException("the chart is loaded");
    };
  }

  /** As status shows it. */
  String displayName(String version) {
    return chart.repo() + "/" + chart.name() + ":" + version;
  }
}
