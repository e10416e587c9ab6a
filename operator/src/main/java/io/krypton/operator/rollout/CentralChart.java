package io.krypton.operator.rollout;

import io.krypton.operator.chart.ChartRef;
import io.krypton.operator.chart.ChartResult;
import io.krypton.operator.chart.ChartStore;
import io.krypton.operator.release.Fingerprint;
import io.krypton.operator.values.Values;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The one chart that is rolled out everywhere. */
public final class CentralChart {
  private final ChartRef chart;
  private final ChartStore store;
  private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();

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
  sealed interface Known {
    record Version(String version) implements Known {}

    record NotYet(ChartResult why) implements Known {}
  }

  /** A fixed version is known without any look at the repository; the newest one only after it. */
  Known version(Waiter waiter, @Nullable String request) {
    if (!chart.version().isEmpty()) {
      return chart.hasExactVersion()
          ? new Known.Version(chart.version())
          : new Known.NotYet(new ChartResult.VersionInvalid(chart.version()));
    }
    return switch (load(waiter, request)) {
      case ChartResult.Loaded loaded -> new Known.Version(loaded.version());
      case ChartResult other -> new Known.NotYet(other);
    };
  }

  Fingerprint fingerprint(String version, Values values) {
    return Fingerprint.of(chart.repo(), chart.name(), version, values);
  }

  /**
   * Never waits.
   *
   * @param request by which a user asked for a run of this owner, if one did
   */
  ChartResult load(Waiter waiter, @Nullable String request) {
    // Before the look: news that come right after it must find the waiter here.
    waiting.add(waiter);
    var result = store.chart(chart, request == null ? null : waiter + "@" + request);
    if (result instanceof ChartResult.Loaded) {
      waiting.remove(waiter);
    }
    return result;
  }

  /** It wants no chart any more. */
  void forget(Waiter waiter) {
    waiting.remove(waiter);
  }

  /** Those who asked in vain since the last call, each once. */
  public List<Waiter> takeWaiting() {
    return List.copyOf(waiting).stream().filter(waiting::remove).toList();
  }

  /** As status shows it. */
  String shown(String version) {
    return chart.repo() + "/" + chart.name() + ":" + version;
  }
}
