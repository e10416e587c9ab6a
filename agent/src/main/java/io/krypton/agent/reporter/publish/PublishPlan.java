// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.publish.LatestSample.Sample;
import io.krypton.base.kmsreport.NodeReport;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what the publisher does next; knows neither threads nor the network. */
final class PublishPlan {
  private static final Duration IDLE_WAIT = Duration.ofHours(1);

  private PublishPlan() {}

  /** One thing to do. */
  sealed interface Step {
    record WriteReport(NodeReport report) implements Step {}

    /** Asks whether the server still has the report: a renewal says that it does. */
    record VerifyReport() implements Step {}

    record RenewLease(Instant tickedAt) implements Step {}

    /** Nothing, until the sample changes or the time is over. */
    record Wait(Duration atMost) implements Step {}
  }

  /**
   * The report goes first: a renewal says that what was last published is still true, so there is
   * none while a report is owed.
   */
  static Step whatNext(
      Sample sample, ReportState reports, LeaseState leases, Heartbeat wanted, Duration now) {
    var current = sample.report();
    if (current == null) {
      return new Step.Wait(IDLE_WAIT);
    }
    var heartbeat = heartbeatInUse(wanted, leases);
    boolean beatOwed = heartbeat == Heartbeat.CONDITION && sample.tick() > reports.publishedTick();
    if (reports.isDue(current, now) || beatOwed) {
      return isElapsed(reports.notBefore(), now)
          ? new Step.WriteReport(current)
          : new Step.Wait(reports.notBefore().minus(now));
    }
    boolean renewalOwed = wanted == Heartbeat.LEASE && leases.isPending(sample.tick());
    if (renewalOwed && isElapsed(leases.notBefore(), now)) {
      return reports.verifiedTick() < sample.tick()
          ? new Step.VerifyReport()
          : new Step.RenewLease(sample.tickedAt());
    }
    var untilRefresh = reports.refreshAt().minus(now);
    return new Step.Wait(
        renewalOwed ? shorter(untilRefresh, leases.notBefore().minus(now)) : untilRefresh);
  }

  /** What is asked for, unless the Lease was refused too often. */
  static Heartbeat heartbeatInUse(Heartbeat wanted, LeaseState leases) {
    return leases.isGivenUp() ? Heartbeat.CONDITION : wanted;
  }

  private static boolean isElapsed(Duration pause, Duration now) {
    return now.compareTo(pause) >= 0;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  /**
   * What became of the renewals so far. Times count from the start of the process.
   *
   * @param settledTick the last tick that needs no renewal any more: renewed, or refused for good
   * @param renewedAt the time in the last renewal
   * @param refusals how often in a row the server forbade it or had no such namespace
   * @param held whether the server has a Lease of this process
   */
  record LeaseState(
      long settledTick, Instant renewedAt, int refusals, Duration notBefore, boolean held) {
    /** After so many refusals the report itself becomes the heartbeat. */
    static final int MAX_REFUSALS = 3;

    static final Duration RETRY_REFUSED = Duration.ofSeconds(60);

    static final LeaseState INITIAL = new LeaseState(0, Instant.EPOCH, 0, Duration.ZERO, false);

    LeaseState renewed(long tick, Instant at) {
      return new LeaseState(tick, at, 0, Duration.ZERO, true);
    }

    /** The next tick may ask again; once given up, only every minute. */
    LeaseState refused(long tick, Duration now) {
      boolean enough = refusals + 1 >= MAX_REFUSALS;
      var next = enough ? now.plus(RETRY_REFUSED) : Duration.ZERO;
      return new LeaseState(tick, renewedAt, refusals + 1, next, held);
    }

    LeaseState failed(Duration retryAt) {
      return new LeaseState(settledTick, renewedAt, refusals, retryAt, held);
    }

    boolean isGivenUp() {
      return refusals >= MAX_REFUSALS;
    }

    boolean isPending(long tick) {
      return tick > settledTick;
    }
  }

  /**
   * What became of the reports so far. Times count from the start of the process.
   *
   * @param published the last report that the API server took; null before the first
   * @param publishedTick the tick that it included
   * @param verifiedTick the last tick at which the API server was asked whether it still has it
   * @param refreshAt when it is written again although nothing changed
   * @param failing the last attempt failed: the server may hold anything
   * @param notBefore the end of the pause after a failure
   */
  record ReportState(
      @Nullable NodeReport published,
      long publishedTick,
      long verifiedTick,
      Duration publishedAt,
      Duration refreshAt,
      boolean failing,
      Duration notBefore) {
    static final ReportState INITIAL =
        new ReportState(null, 0, 0, Duration.ZERO, Duration.ZERO, false, Duration.ZERO);

    ReportState written(NodeReport report, long tick, Duration now, Duration refreshAfter) {
      return new ReportState(report, tick, tick, now, now.plus(refreshAfter), false, Duration.ZERO);
    }

    ReportState failed(Duration retryAt) {
      return new ReportState(
          published, publishedTick, verifiedTick, publishedAt, refreshAt, true, retryAt);
    }

    ReportState verified(long tick) {
      return new ReportState(
          published, publishedTick, tick, publishedAt, refreshAt, failing, notBefore);
    }

    /** The server does not have it any more: the object was made anew, or an old copy restored. */
    ReportState lost() {
      return new ReportState(
          null, publishedTick, verifiedTick, publishedAt, refreshAt, failing, notBefore);
    }

    boolean isDue(NodeReport current, Duration now) {
      return failing
          || published == null
          || !published.saysTheSameAs(current)
          || now.compareTo(refreshAt) >= 0;
    }
  }
}
