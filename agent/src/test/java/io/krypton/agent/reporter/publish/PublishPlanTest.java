// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.FAILING;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY;
import static io.krypton.agent.reporter.publish.Samples.T0;
import static io.krypton.agent.reporter.publish.Samples.sample;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.publish.LatestSample.Sample;
import io.krypton.agent.reporter.publish.PublishPlan.LeaseState;
import io.krypton.agent.reporter.publish.PublishPlan.ReportState;
import io.krypton.agent.reporter.publish.PublishPlan.Step;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PublishPlanTest {
  private static final Duration NOW = Duration.ofSeconds(100);
  private static final Duration REFRESH = Duration.ofMinutes(10);

  /** Wrote a healthy report with tick 1, ten seconds ago. */
  private static final ReportState WRITTEN =
      ReportState.INITIAL.written(HEALTHY, 1, NOW.minusSeconds(10), REFRESH);

  private static final LeaseState RENEWED = LeaseState.INITIAL.renewed(1, T0);
  private static final LeaseState GIVEN_UP =
      RENEWED.refused(2, NOW).refused(3, NOW).refused(4, NOW.minusSeconds(15));

  static Stream<Arguments> rules() {
    return Stream.of(
        argumentSet(
            "no plugin judged yet: wait",
            Sample.EMPTY.withTick(T0),
            ReportState.INITIAL,
            LeaseState.INITIAL,
            new Step.Wait(Duration.ofHours(1))),
        argumentSet(
            "first report: write",
            sample(HEALTHY, 1),
            ReportState.INITIAL,
            LeaseState.INITIAL,
            new Step.WriteReport(HEALTHY)),
        argumentSet(
            "report written, tick not confirmed: renew",
            sample(HEALTHY, 1),
            WRITTEN,
            LeaseState.INITIAL,
            new Step.RenewLease(T0)),
        argumentSet(
            "all told: sleep until the refresh",
            sample(HEALTHY, 1),
            WRITTEN,
            RENEWED,
            new Step.Wait(REFRESH.minusSeconds(10))),
        argumentSet(
            "next tick, same state: look whether the server still has it",
            sample(HEALTHY, 2),
            WRITTEN,
            RENEWED,
            new Step.VerifyReport()),
        argumentSet(
            "next tick, still there: renew and write nothing",
            sample(HEALTHY, 2),
            WRITTEN.verified(2),
            RENEWED,
            new Step.RenewLease(T0)),
        argumentSet(
            "next tick, the server has lost it: write",
            sample(HEALTHY, 2),
            WRITTEN.lost(),
            RENEWED,
            new Step.WriteReport(HEALTHY)),
        argumentSet(
            "state changed within the tick: write at once",
            sample(FAILING, 1),
            WRITTEN,
            RENEWED,
            new Step.WriteReport(FAILING)),
        argumentSet(
            "state changed at a tick: the report goes before the renewal",
            sample(FAILING, 2),
            WRITTEN,
            RENEWED,
            new Step.WriteReport(FAILING)),
        argumentSet(
            "report failed: no renewal, pause",
            sample(HEALTHY, 2),
            WRITTEN.failed(NOW.plusSeconds(4)),
            RENEWED,
            new Step.Wait(Duration.ofSeconds(4))),
        argumentSet(
            "report failed, pause over: write, although the state went back to the published one",
            sample(HEALTHY, 1),
            WRITTEN.failed(NOW),
            RENEWED,
            new Step.WriteReport(HEALTHY)),
        argumentSet(
            "refresh due: write",
            sample(HEALTHY, 1),
            ReportState.INITIAL.written(HEALTHY, 1, Duration.ZERO, NOW),
            RENEWED,
            new Step.WriteReport(HEALTHY)),
        argumentSet(
            "renewal failed: pause, but no longer than its own",
            sample(HEALTHY, 2),
            WRITTEN,
            RENEWED.failed(NOW.plusSeconds(2)),
            new Step.Wait(Duration.ofSeconds(2))),
        argumentSet(
            "Lease refused once: the next try comes with the next tick",
            sample(HEALTHY, 2),
            WRITTEN,
            RENEWED.refused(2, NOW),
            new Step.Wait(REFRESH.minusSeconds(10))),
        argumentSet(
            "Lease refused three times: the report is the heartbeat",
            sample(HEALTHY, 5),
            WRITTEN,
            GIVEN_UP,
            new Step.WriteReport(HEALTHY)),
        argumentSet(
            "Lease given up and beat written: wait for the minute to end",
            sample(HEALTHY, 5),
            ReportState.INITIAL.written(HEALTHY, 5, NOW, REFRESH),
            GIVEN_UP,
            new Step.Wait(Duration.ofSeconds(45))));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void decides(Sample sample, ReportState reports, LeaseState leases, Step expected) {
    assertThat(PublishPlan.whatNext(sample, reports, leases, Heartbeat.LEASE, NOW))
        .isEqualTo(expected);
  }

  static Stream<Arguments> conditionHeartbeat() {
    return Stream.of(
        argumentSet("each tick writes", sample(HEALTHY, 2), new Step.WriteReport(HEALTHY)),
        argumentSet(
            "within a tick nothing", sample(HEALTHY, 1), new Step.Wait(REFRESH.minusSeconds(10))));
  }

  @ParameterizedTest
  @MethodSource("conditionHeartbeat")
  void decides_without_lease(Sample sample, Step expected) {
    assertThat(PublishPlan.whatNext(sample, WRITTEN, LeaseState.INITIAL, Heartbeat.CONDITION, NOW))
        .isEqualTo(expected);
  }
}
