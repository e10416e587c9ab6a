package io.krypton.agent.reporter;

import io.krypton.agent.report.NodeReport;
import java.time.Duration;
import java.time.Instant;

/** Decides what the publisher does next; knows neither threads nor the network. */
final class PublishPlan {
  private static final Duration NO_REASON_TO_WAKE = Duration.ofHours(1);

  private PublishPlan() {}

  /** One thing to do. */
  sealed interface Step {
    record WriteReport(NodeReport report) implements Step {}

    /** Asks whether the server still has the report: a renewal says that it does. */
    record LookAtReport() implements Step {}

    record RenewLease(Instant tickedAt) implements Step {}

    /** Nothing, until the sample changes or the time is over. */
    record Rest(Duration atMost) implements Step {}
  }

  /**
   * The report goes first: a renewal says that what was last published is still true, so there is
   * none while a report is owed.
   */
  static Step whatNext(
      Sample sample, ReportTrack reports, LeaseTrack leases, Heartbeat wanted, Duration now) {
    var current = sample.report();
    if (current == null) {
      return new Step.Rest(NO_REASON_TO_WAKE);
    }
    var heartbeat = heartbeatInUse(wanted, leases);
    boolean beatOwed = heartbeat == Heartbeat.CONDITION && sample.tick() > reports.publishedTick();
    if (reports.isDue(current, now) || beatOwed) {
      return isOver(reports.notBefore(), now)
          ? new Step.WriteReport(current)
          : new Step.Rest(reports.notBefore().minus(now));
    }
    boolean renewalOwed = wanted == Heartbeat.LEASE && leases.isPending(sample.tick());
    if (renewalOwed && isOver(leases.notBefore(), now)) {
      return reports.lookedTick() < sample.tick()
          ? new Step.LookAtReport()
          : new Step.RenewLease(sample.tickedAt());
    }
    var untilRefresh = reports.refreshAt().minus(now);
    return new Step.Rest(
        renewalOwed ? shorter(untilRefresh, leases.notBefore().minus(now)) : untilRefresh);
  }

  /** What is asked for, unless the Lease was refused too often. */
  static Heartbeat heartbeatInUse(Heartbeat wanted, LeaseTrack leases) {
    return leases.isGivenUp() ? Heartbeat.CONDITION : wanted;
  }

  private static boolean isOver(Duration pause, Duration now) {
    return now.compareTo(pause) >= 0;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }
}
