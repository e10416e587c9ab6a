package io.krypton.agent.reporter;

import io.krypton.agent.report.NodeReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of the reports so far. Times count from the start of the process.
 *
 * @param published the last report that the API server took; null before the first
 * @param publishedTick the tick that it included
 * @param refreshAt when it is written again although nothing changed
 * @param failing the last attempt failed: the server may hold anything
 * @param notBefore the end of the pause after a failure
 */
record ReportTrack(
    @Nullable NodeReport published,
    long publishedTick,
    Duration publishedAt,
    Duration refreshAt,
    boolean failing,
    Duration notBefore) {
  static final ReportTrack START =
      new ReportTrack(null, 0, Duration.ZERO, Duration.ZERO, false, Duration.ZERO);

  ReportTrack written(NodeReport report, long tick, Duration now, Duration refreshAfter) {
    return new ReportTrack(report, tick, now, now.plus(refreshAfter), false, Duration.ZERO);
  }

  ReportTrack failed(Duration retryAt) {
    return new ReportTrack(published, publishedTick, publishedAt, refreshAt, true, retryAt);
  }

  boolean isDue(NodeReport current, Duration now) {
    return failing
        || published == null
        || !published.saysTheSameAs(current)
        || now.compareTo(refreshAt) >= 0;
  }
}
