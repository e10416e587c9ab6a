package io.krypton.agent.reporter;

import io.krypton.agent.report.NodeReport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What became of the reports so far. Times count from the start of the process.
 *
 * @param published the last report that the API server took; null before the first
 * @param publishedTick the tick that it included
 * @param lookedTick the last tick at which the API server was asked whether it still has it
 * @param refreshAt when it is written again although nothing changed
 * @param failing the last attempt failed: the server may hold anything
 * @param notBefore the end of the pause after a failure
 */
record ReportTrack(
    @Nullable NodeReport published,
    long publishedTick,
    long lookedTick,
    Duration publishedAt,
    Duration refreshAt,
    boolean failing,
    Duration notBefore) {
  static final ReportTrack START =
      new ReportTrack(null, 0, 0, Duration.ZERO, Duration.ZERO, false, Duration.ZERO);

  ReportTrack written(NodeReport report, long tick, Duration now, Duration refreshAfter) {
    return new ReportTrack(report, tick, tick, now, now.plus(refreshAfter), false, Duration.ZERO);
  }

  ReportTrack failed(Duration retryAt) {
    return new ReportTrack(
        published, publishedTick, lookedTick, publishedAt, refreshAt, true, retryAt);
  }

  ReportTrack looked(long tick) {
    return new ReportTrack(
        published, publishedTick, tick, publishedAt, refreshAt, failing, notBefore);
  }

  /** The server does not have it any more: the object was made anew, or an old copy restored. */
  ReportTrack lost() {
    return new ReportTrack(
        null, publishedTick, lookedTick, publishedAt, refreshAt, failing, notBefore);
  }

  boolean isDue(NodeReport current, Duration now) {
    return failing
        || published == null
        || !published.saysTheSameAs(current)
        || now.compareTo(refreshAt) >= 0;
  }
}
