// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.agent.kube.ApiBackoff;
import io.krypton.agent.kube.ApiRequest;
import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.kube.ApiServer;
import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.publish.LatestSample.Sample;
import io.krypton.agent.reporter.publish.PublishPlan.LeaseState;
import io.krypton.agent.reporter.publish.PublishPlan.ReportState;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.agent.reporter.report.LeaseApply;
import io.krypton.agent.reporter.report.StatusApply;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.time.Jitter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that brings the newest sample to the API server. It never gives up and never ends by
 * itself; whatever goes wrong is a reason to try again later.
 */
public final class Publisher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Publisher.class);
  private static final Duration RELEASE_LIMIT = Duration.ofSeconds(1);
  private static final Duration JOIN_LIMIT = Duration.ofSeconds(2);
  private static final Duration DELAY_AFTER_BUG = Duration.ofSeconds(5);
  private static final double REFRESH_JITTER = 0.1;

  /** So many ticks may be lost until a reporter counts as silent. */
  private static final int LEASE_INTERVALS = 4;

  private final ReporterSettings settings;
  private final LatestSample latestSample;
  private final ApiServer api;
  private final ProcessClock clock;
  private final RandomGenerator random;
  private final PublishStatus status;
  private final LoopProgress loopProgress;
  private final ReportWriter writer;
  private final LeaseApply lease;
  private final ApiRequest readRequest;
  private final ApiBackoff reportBackoff;
  private final ApiBackoff leaseBackoff;
  private final WriteResultLog reportLog = new WriteResultLog(WriteKind.REPORT);
  private final WriteResultLog leaseLog = new WriteResultLog(WriteKind.LEASE);
  private final Thread thread = Thread.ofPlatform().name("publisher").daemon().unstarted(this::run);

  private ReportState reports = ReportState.INITIAL;
  private LeaseState leases = LeaseState.INITIAL;
  private StoredReport stored = new StoredReport(List.of());
  private volatile boolean stopping;

  public Publisher(
      ReporterSettings settings,
      LatestSample latestSample,
      ApiServer api,
      ProcessClock clock,
      RandomGenerator random) {
    this.settings = settings;
    this.latestSample = latestSample;
    this.api = api;
    this.clock = clock;
    this.random = random;
    this.status = new PublishStatus(settings.heartbeat());
    this.loopProgress = new LoopProgress(clock);
    this.writer = new ReportWriter(settings, api, clock);
    this.lease = leaseOf(settings, clock, random);
    this.readRequest = new StatusApply(settings.target(), settings.nodeName()).read();
    this.reportBackoff = new ApiBackoff(random);
    this.leaseBackoff = new ApiBackoff(random);
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

  public PublishStatus status() {
    return status;
  }

  public LoopProgress progress() {
    return loopProgress;
  }

  public void start() {
    thread.start();
  }

  private void run() {
    while (!stopping) {
      try {
        runOnce();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Throwable t) {
        log.error("unexpected error while publishing", t);
        reports = reports.failed(clock.elapsed().plus(DELAY_AFTER_BUG));
      }
    }
  }

  private void runOnce() throws InterruptedException {
    loopProgress.advance();
    var sample = latestSample.latest();
    switch (PublishPlan.whatNext(sample, reports, leases, settings.heartbeat(), clock.elapsed())) {
      case PublishPlan.Step.WriteReport(var report) -> write(report, sample);
      case PublishPlan.Step.VerifyReport() -> verifyStoredReport(sample.tick());
      case PublishPlan.Step.RenewLease(var tickedAt) -> renew(tickedAt, sample.tick());
      case PublishPlan.Step.Wait(var atMost) -> {
        // Never longer than a tick: liveness depends on the progress of the loop.
        var rest = atMost.compareTo(settings.interval()) < 0 ? atMost : settings.interval();
        latestSample.awaitChange(sample, rest);
      }
    }
  }

  private void write(NodeReport report, Sample sample) throws InterruptedException {
    var result = writer.write(report);
    recordResult(WriteKind.REPORT, reportLog, result);
    var now = clock.elapsed();
    var pause = reportBackoff.delayAfter(result);
    if (result instanceof ApiResult.Done(var body)) {
      stored = StoredReport.in(body, settings.nodeName());
      reports = reports.written(report, sample.tick(), now, refreshAfter());
      status.recordPublished(now, sample.transitions());
    } else {
      reports = reports.failed(now.plus(pause));
    }
  }

  /**
   * An object that was deleted or restored from a backup has lost our report, and nobody would say
   * so. Without permission to read, or without a response, it goes on: the next write fails then.
   */
  private void verifyStoredReport(long tick) throws InterruptedException {
    var result = api.call(readRequest, settings.writeTimeout());
    boolean lost =
        switch (result) {
          case ApiResult.Done(var body) ->
              !StoredReport.in(body, settings.nodeName()).equals(stored);
          case ApiResult.NotFound _ -> true;
          default -> false;
        };
    if (lost) {
      log.info("report is missing on the API server, writing it again");
    }
    reports = lost ? reports.lost() : reports.verified(tick);
  }

  private void renew(Instant tickedAt, long tick) throws InterruptedException {
    var result = api.call(lease.renewal(tickedAt), settings.writeTimeout());
    recordResult(WriteKind.LEASE, leaseLog, result);
    var now = clock.elapsed();
    var pause = leaseBackoff.delayAfter(result);
    leases =
        switch (result) {
          case ApiResult.Done _ -> leases.renewed(tick, tickedAt);
          case ApiResult.Forbidden _, ApiResult.NotFound _ -> leases.refused(tick, now);
          default -> leases.failed(now.plus(pause));
        };
    status.useHeartbeat(PublishPlan.heartbeatInUse(settings.heartbeat(), leases));
  }

  private void recordResult(WriteKind kind, WriteResultLog writeResultLog, ApiResult result) {
    writeResultLog.record(result);
    status.recordWrite(kind, result);
  }

  private Duration refreshAfter() {
    return new Jitter(random).around(settings.refreshInterval(), REFRESH_JITTER);
  }

  /** Stops the loop and releases the Lease, if that takes no more than a second. */
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

  /** When a loop last came round. */
  public static final class LoopProgress {
    private final ProcessClock clock;
    private volatile Duration advancedAt;

    LoopProgress(ProcessClock clock) {
      this.clock = clock;
      this.advancedAt = clock.elapsed();
    }

    void advance() {
      advancedAt = clock.elapsed();
    }

    public boolean isWithin(Duration limit) {
      return clock.elapsed().minus(advancedAt).compareTo(limit) <= 0;
    }
  }

  /** What an object says about one node, in whichever form. */
  record StoredReport(List<JsonNode> parts) {
    private static final List<String> TYPED_LISTS =
        List.of(
            "/status/encryptionStatus/healthReports",
            "/status/oauthAPIServer/encryptionStatus/healthReports");

    StoredReport {
      parts = List.copyOf(parts);
    }

    static StoredReport in(JsonNode object, String node) {
      var parts = new ArrayList<JsonNode>();
      var type = ReportNames.conditionType(node);
      object
          .at("/status/conditions")
          .valueStream()
          .filter(condition -> condition.path("type").asText().equals(type))
          .forEach(parts::add);
      for (var list : TYPED_LISTS) {
        object
            .at(list)
            .valueStream()
            .filter(entry -> entry.path("nodeName").asText().equals(node))
            .forEach(parts::add);
      }
      return new StoredReport(parts);
    }
  }
}
