package io.krypton.agent.reporter;

import io.krypton.agent.publish.ApiCall;
import io.krypton.agent.publish.ApiResult;
import io.krypton.agent.publish.ApiServer;
import io.krypton.agent.publish.Backoff;
import io.krypton.agent.publish.LeaseApply;
import io.krypton.agent.publish.StatusApply;
import io.krypton.agent.report.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that brings the newest sample to the API server. It never gives up and never ends by
 * itself; whatever goes wrong is a reason to try again later.
 */
final class Publisher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Publisher.class);
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(1);
  private static final Duration JOIN_LIMIT = Duration.ofSeconds(2);
  private static final Duration PAUSE_AFTER_BUG = Duration.ofSeconds(5);
  private static final double REFRESH_SPREAD = 0.1;

  /** So many ticks may be lost until a reporter counts as silent. */
  private static final int LEASE_INTERVALS = 4;

  private final ReporterSettings settings;
  private final Mailbox mailbox;
  private final ApiServer api;
  private final ProcessClock clock;
  private final RandomGenerator random;
  private final PublishJournal journal;
  private final Progress progress;
  private final ReportWriter writer;
  private final LeaseApply lease;
  private final ApiCall reading;
  private final Backoff reportBackoff;
  private final Backoff leaseBackoff;
  private final Outcomes reportOutcomes = new Outcomes(WriteKind.REPORT);
  private final Outcomes leaseOutcomes = new Outcomes(WriteKind.LEASE);
  private final Thread thread = Thread.ofPlatform().name("publisher").daemon().unstarted(this::run);

  private ReportTrack reports = ReportTrack.START;
  private LeaseTrack leases = LeaseTrack.START;
  private StoredReport stored = new StoredReport(List.of());
  private volatile boolean stopping;

  Publisher(
      ReporterSettings settings,
      Mailbox mailbox,
      ApiServer api,
      ProcessClock clock,
      RandomGenerator random) {
    this.settings = settings;
    this.mailbox = mailbox;
    this.api = api;
    this.clock = clock;
    this.random = random;
    this.journal = new PublishJournal(settings.heartbeat());
    this.progress = new Progress(clock);
    this.writer = new ReportWriter(settings, api, clock);
    this.lease = leaseOf(settings, clock, random);
    this.reading = new StatusApply(settings.target(), settings.nodeName()).read();
    this.reportBackoff = new Backoff(random);
    this.leaseBackoff = new Backoff(random);
  }

  private static LeaseApply leaseOf(
      ReporterSettings settings, ProcessClock clock, RandomGenerator random) {
    var holder = "%s_%08x".formatted(settings.nodeName(), random.nextInt());
    return new LeaseApply(
        settings.target(),
        settings.nodeName(),
        settings.leaseNamespace(),
        holder,
        clock.startedAt(),
        settings.interval().multipliedBy(LEASE_INTERVALS));
  }

  PublishJournal journal() {
    return journal;
  }

  Progress progress() {
    return progress;
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!stopping) {
      try {
        turn();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Throwable t) {
        log.error("publishing failed in a way it should not", t);
        reports = reports.failed(clock.elapsed().plus(PAUSE_AFTER_BUG));
      }
    }
  }

  private void turn() throws InterruptedException {
    progress.advance();
    var sample = mailbox.latest();
    switch (PublishPlan.whatNext(sample, reports, leases, settings.heartbeat(), clock.elapsed())) {
      case PublishPlan.Step.WriteReport(var report) -> write(report, sample);
      case PublishPlan.Step.LookAtReport() -> look(sample.tick());
      case PublishPlan.Step.RenewLease(var tickedAt) -> renew(tickedAt, sample.tick());
      case PublishPlan.Step.Rest(var atMost) -> {
        // Never longer than a tick: the loop's own progress is what liveness looks at.
        var rest = atMost.compareTo(settings.interval()) < 0 ? atMost : settings.interval();
        mailbox.awaitOtherThan(sample, rest);
      }
    }
  }

  private void write(NodeReport report, Sample sample) throws InterruptedException {
    var result = writer.write(report);
    note(WriteKind.REPORT, reportOutcomes, result);
    var now = clock.elapsed();
    var pause = reportBackoff.after(result);
    if (result instanceof ApiResult.Done(var body)) {
      stored = StoredReport.in(body, settings.nodeName());
      reports = reports.written(report, sample.tick(), now, refreshAfter());
      journal.published(now, sample.transitions());
    } else {
      reports = reports.failed(now.plus(pause));
    }
  }

  /**
   * An object that was deleted or restored from a backup has lost our report, and nobody would say
   * so. Whoever may not look, or gets no answer, goes on: the next write tells what is wrong.
   */
  private void look(long tick) throws InterruptedException {
    var result = api.call(reading, settings.writeTimeout());
    boolean lost =
        switch (result) {
          case ApiResult.Done(var body) ->
              !StoredReport.in(body, settings.nodeName()).equals(stored);
          case ApiResult.NotFound _ -> true;
          default -> false;
        };
    if (lost) {
      log.info("the API server has lost the report: writing it again");
    }
    reports = lost ? reports.lost() : reports.looked(tick);
  }

  private void renew(Instant tickedAt, long tick) throws InterruptedException {
    var result = api.call(lease.renewal(tickedAt), settings.writeTimeout());
    note(WriteKind.LEASE, leaseOutcomes, result);
    var now = clock.elapsed();
    var pause = leaseBackoff.after(result);
    leases =
        switch (result) {
          case ApiResult.Done _ -> leases.renewed(tick, tickedAt);
          case ApiResult.Forbidden _, ApiResult.NotFound _ -> leases.refused(tick, now);
          default -> leases.failed(now.plus(pause));
        };
    journal.beatsBy(PublishPlan.heartbeatInUse(settings.heartbeat(), leases));
  }

  private void note(WriteKind kind, Outcomes outcomes, ApiResult result) {
    outcomes.note(result);
    journal.wrote(kind, result);
  }

  private Duration refreshAfter() {
    double spread = 1 + REFRESH_SPREAD * (2 * random.nextDouble() - 1);
    return Duration.ofNanos(Math.round((double) settings.refreshInterval().toNanos() * spread));
  }

  /** Stops the loop and, if that takes no more than a second, tells that the stop was planned. */
  @Override
  public void close() {
    if (stopping) {
      return;
    }
    stopping = true;
    thread.interrupt();
    try {
      if (thread.join(JOIN_LIMIT) && leases.held()) {
        api.call(lease.release(leases.renewedAt()), RELEASE_LIMIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      api.close();
    }
  }
}
