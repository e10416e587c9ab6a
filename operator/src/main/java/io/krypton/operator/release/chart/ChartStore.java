// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.Loading;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.chart.ChartResult.VersionInvalid;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Charts shared by all who need them. Asking never blocks: one thread per chart loads it, and tries
 * again with back-off until it has it, no matter how many ask.
 */
public final class ChartStore implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ChartStore.class);
  private static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

  private final ChartLoader loader;
  private final RetryBackoff retryBackoff;
  private final ChartListener listener;
  private final Map<ChartRef, Attempts> charts = new ConcurrentHashMap<>();

  public ChartStore(ChartLoader loader, RetryBackoff retryBackoff, ChartListener listener) {
    this.loader = loader;
    this.retryBackoff = retryBackoff;
    this.listener = listener;
  }

  public ChartResult chart(ChartRef chart) {
    return chart(chart, null);
  }

  /**
   * As the other one.
   *
   * @param request what somebody asked for by hand, if so: the first time that it is seen, a
   *     back-off of the chart ends early. The same words again change nothing.
   */
  public ChartResult chart(ChartRef chart, @Nullable String request) {
    if (!chart.version().isEmpty() && !chart.hasExactVersion()) {
      return new VersionInvalid(chart.version());
    }
    var attempts = charts.compute(chart, (ref, known) -> usable(known) ? known : new Attempts(ref));
    var result = attempts.result;
    if (result instanceof Loaded) {
      listener.cacheHit(chart);
    } else if (request != null && !(result instanceof Loading)) {
      attempts.retryNow(request);
    }
    return result;
  }

  /** Forgets all other charts; one that is asked for again is loaded again. */
  public void retain(Predicate<ChartRef> wanted) {
    for (var chart : List.copyOf(charts.keySet())) {
      var dropped = wanted.test(chart) ? null : charts.remove(chart);
      if (dropped != null) {
        dropped.thread.interrupt();
        if (dropped.result instanceof Loaded loaded && !isHeld(loaded)) {
          loader.discard(loaded);
        }
      }
    }
  }

  /** Archives are named by their content, so two charts may be one file. */
  private boolean isHeld(Loaded chart) {
    return charts.values().stream()
        .anyMatch(
            it -> it.result instanceof Loaded other && other.archive().equals(chart.archive()));
  }

  /** A cleaner of temporary files may have taken the archive away. */
  private static boolean usable(@Nullable Attempts known) {
    return known != null
        && !(known.result instanceof Loaded loaded && Files.notExists(loaded.archive()));
  }

  @Override
  public void close() {
    charts.values().forEach(attempts -> attempts.thread.interrupt());
    try {
      for (var attempts : charts.values()) {
        attempts.thread.join(Duration.ofSeconds(2));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Attempts {
    private final ChartRef chart;
    private final Thread thread;
    private final Set<String> requests = ConcurrentHashMap.newKeySet();
    private final Semaphore retryNow = new Semaphore(0);
    private volatile ChartResult result = new Loading();

    Attempts(ChartRef chart) {
      this.chart = chart;
      this.thread = Thread.ofVirtual().name("chart-" + chart.name()).start(this::run);
    }

    private void run() {
      try {
        int failures = 1;
        while (!attempt()) {
          failures = awaitRetryRequest(retryBackoff.afterFailure(failures)) ? 1 : failures + 1;
        }
      } catch (InterruptedException e) {
        log.atDebug().addKeyValue("chart", chart).log("loading ended by shutdown");
      }
    }

    void retryNow(String request) {
      if (requests.add(request)) {
        retryNow.release();
      }
    }

    /** Waits. All owners may be asked about in one breath, which is worth one attempt. */
    private boolean awaitRetryRequest(Duration pause) throws InterruptedException {
      var least = pause.compareTo(LEAST_PAUSE) < 0 ? pause : LEAST_PAUSE;
      Thread.sleep(least);
      if (!retryNow.tryAcquire(pause.minus(least).toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
      var _ = retryNow.drainPermits();
      return true;
    }

    private boolean attempt() {
      var before = result;
      var outcome = load();
      if (Thread.currentThread().isInterrupted()) {
        return false; // Nobody shall hear of a failure that is only our shutdown.
      }
      result = outcome;
      if (!result.equals(before)) {
        var level = result instanceof Loaded ? Level.INFO : Level.WARN;
        log.atLevel(level).addKeyValue("chart", chart).log("chart {}", result.describe());
      }
      listener.attempted(chart, result);
      // The same failure again is not reported: waiters have a back-off of their own.
      if (!result.value().equals(before.value())) {
        listener.changed(chart, result);
      }
      return result instanceof Loaded;
    }

    private ChartResult load() {
      try {
        return loader.load(chart);
      } catch (RuntimeException e) {
        log.atError().addKeyValue("chart", chart).setCause(e).log("bug while loading a chart");
        return new NotLoaded("internal error: " + e.getClass().getSimpleName());
      }
    }
  }

  /** How long to wait after failure n: doubling up to a limit, 20 % more or less by chance. */
  public record RetryBackoff(Duration first, Duration longest, RandomGenerator random) {
    private static final double SPREAD = 0.2;

    public static RetryBackoff standard() {
      return new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(5), new Random());
    }

    public Duration afterFailure(int count) {
      var doublings = Math.min(count - 1, 30);
      var millis = Math.min(longest.toMillis(), first.toMillis() << doublings);
      return Duration.ofMillis(Math.round(millis * random.nextDouble(1 - SPREAD, 1 + SPREAD)));
    }
  }

  /** Called about charts, to enqueue their waiters and to count. */
  public interface ChartListener {
    ChartListener NONE = new ChartListener() {};

    /** How an attempt to load it ended. */
    default void attempted(ChartRef chart, ChartResult result) {}

    /** The next request gets a result of another kind. */
    default void changed(ChartRef chart, ChartResult result) {}

    /** Somebody got a chart that had been loaded before. */
    default void cacheHit(ChartRef chart) {}
  }

  /** Loads a chart once, however long that takes; {@link ChartStore} decides when. */
  @FunctionalInterface
  public interface ChartLoader {
    ChartResult load(ChartRef chart);

    /** Nobody needs what was loaded any more. */
    default void discard(Loaded chart) {}
  }
}
