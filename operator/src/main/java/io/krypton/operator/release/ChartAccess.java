// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartStore;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The charts that are rolled out, and who waits for which of them. */
public final class ChartAccess {
  private static final Logger log = LoggerFactory.getLogger(ChartAccess.class);

  private final ChartStore store;
  private final Map<ChartRef, Set<Waiter>> waiters = new ConcurrentHashMap<>();

  public ChartAccess(ChartStore store) {
    this.store = store;
  }

  /** Somebody who asked for a chart in vain: an owner, and where it is rolled out. */
  public record Waiter(Owner.Kind kind, String cluster, String namespace, String name) {
    static Waiter of(Owner owner, String cluster) {
      return new Waiter(owner.kind(), cluster, owner.namespace(), owner.name());
    }
  }

  /** What a rollout needs to know of a chart before it needs the chart itself. */
  sealed interface VersionLookup {
    record Found(String version) implements VersionLookup {}

    record NotLoaded(ChartResult result) implements VersionLookup {}
  }

  /** A fixed version is known without the repository; the newest one is not. */
  VersionLookup version(ChartRef chart, Waiter waiter, @Nullable String request) {
    if (!chart.version().isEmpty()) {
      return chart.hasExactVersion()
          ? new VersionLookup.Found(chart.version())
          : new VersionLookup.NotLoaded(new ChartResult.VersionInvalid(chart.version()));
    }
    return switch (load(chart, waiter, request)) {
      case ChartResult.Loaded loaded -> new VersionLookup.Found(loaded.version());
      case ChartResult other -> new VersionLookup.NotLoaded(other);
    };
  }

  /**
   * Never waits.
   *
   * @param request by which a user asked for a run of this owner, if one did
   */
  ChartResult load(ChartRef chart, Waiter waiter, @Nullable String request) {
    // Before the lookup: a chart loaded right after it must find the waiter here.
    waitersFor(chart).add(waiter);
    var result = store.chart(chart, request == null ? null : waiter + "@" + request);
    if (result instanceof ChartResult.Loaded) {
      waitersFor(chart).remove(waiter);
    }
    return result;
  }

  private Set<Waiter> waitersFor(ChartRef chart) {
    return waiters.computeIfAbsent(chart, first -> ConcurrentHashMap.newKeySet());
  }

  /** It wants no chart any more. */
  void forget(Waiter waiter) {
    waiters.values().forEach(all -> all.remove(waiter));
  }

  /** Those who asked for this chart in vain since the last call, each once. */
  public List<Waiter> drainWaiters(ChartRef chart) {
    var all = waitersFor(chart);
    return List.copyOf(all).stream().filter(all::remove).toList();
  }

  /** The result of a rollout whose chart is not the one that its class accepted. */
  static RolloutResult publishedAgain(ReleaseRevision revision, ChartResult.Loaded loaded) {
    return new Failed(
        FailureReason.CHART_DIGEST_MISMATCH,
        "chart %s was published again with another content (sha256 %s); publish what it was, or give the class another version"
            .formatted(revision.chart(), loaded.digest()));
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
}
