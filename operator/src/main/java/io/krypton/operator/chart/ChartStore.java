package io.krypton.operator.chart;

import io.krypton.operator.chart.ChartResult.Loaded;
import io.krypton.operator.chart.ChartResult.Loading;
import io.krypton.operator.chart.ChartResult.NotLoaded;
import io.krypton.operator.chart.ChartResult.VersionInvalid;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Charts shared by all who need them. Asking never blocks: one thread per chart loads it, and tries
 * again with back-off until it has it, no matter how many ask.
 */
public final class ChartStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ChartStore.class);

  private final ChartLoader loader;
  private final Backoff backoff;
  private final ChartListener listener;
  private final Map<ChartRef, Attempts> charts = new ConcurrentHashMap<>();

  public ChartStore(ChartLoader loader, Backoff backoff, ChartListener listener) {
    this.loader = loader;
    this.backoff = backoff;
    this.listener = listener;
  }

  public ChartResult chart(ChartRef chart) {
    if (!chart.version().isEmpty() && !chart.hasExactVersion()) {
      return new VersionInvalid(chart.version());
    }
    var result =
        charts.compute(chart, (ref, known) -> usable(known) ? known : new Attempts(ref)).result;
    if (result instanceof Loaded) {
      listener.hit(chart);
    }
    return result;
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
    private volatile ChartResult result = new Loading();

    Attempts(ChartRef chart) {
      this.chart = chart;
      this.thread = Thread.ofVirtual().name("chart-" + chart.name()).start(this::run);
    }

    private void run() {
      try {
        for (int failures = 1; !attempt(); failures++) {
          Thread.sleep(backoff.afterFailure(failures));
        }
      } catch (InterruptedException e) {
        LOG.atDebug().addKeyValue("chart", chart).log("loading ended by shutdown");
      }
    }

    private boolean attempt() {
      var before = result;
      var outcome = load();
      if (Thread.currentThread().isInterrupted()) {
        return false; // Nobody shall hear of a failure that is only our shutdown.
      }
      result = outcome;
      if (!result.equals(before)) {
        LOG.atInfo().addKeyValue("chart", chart).log("{}", result);
      }
      listener.attempted(chart, result);
      // The same failure again is no news: who waits has a back-off of its own.
      if (!result.word().equals(before.word())) {
        listener.changed(chart, result);
      }
      return result instanceof Loaded;
    }

    private ChartResult load() {
      try {
        return loader.load(chart);
      } catch (RuntimeException e) {
        LOG.atError().addKeyValue("chart", chart).setCause(e).log("bug while loading a chart");
        return new NotLoaded("internal error: " + e.getClass().getSimpleName());
      }
    }
  }
}
