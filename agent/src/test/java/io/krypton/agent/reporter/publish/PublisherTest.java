// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.FAILING;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY;
import static io.krypton.agent.reporter.publish.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.krypton.agent.kube.ApiResult;
import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PublisherTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final FakeApi api = new FakeApi();
  private final LatestSample latestSample = new LatestSample();
  private final Publisher publisher =
      new Publisher(
          Samples.settings(), latestSample, api, ProcessClock.system(), new SplittableRandom(1));
  private final PublishStatus journal = publisher.status();

  @AfterEach
  void stop() {
    publisher.close();
  }

  @Test
  void the_first_report_is_followed_by_a_renewal_and_then_by_silence() {
    publisher.start();
    tick();
    report();

    await().atMost(SOON).until(() -> api.leases().size() == 1);
    assertThat(api.reports()).hasSize(1);
    assertThat(journal.publishedAt()).isPresent();
    assertThat(journal.publishedTransitions()).isEqualTo(1);
  }

  @Test
  void each_tick_renews_and_writes_no_report() {
    publisher.start();
    report();
    for (int tick = 1; tick <= 3; tick++) {
      tick();
      int renewals = tick;
      await().atMost(SOON).until(() -> api.leases().size() == renewals);
    }
    assertThat(api.reports()).hasSize(1);
  }

  /** KmsHealth was deleted and made anew, or etcd was restored: nobody tells the reporter. */
  @Test
  void a_report_that_the_server_has_lost_is_written_again_at_the_next_tick() {
    var held = new AtomicReference<JsonNode>(MissingNode.getInstance());
    api.answers(
        call -> {
          if (!FakeApi.isLease(call) && call.method().equals("PATCH")) {
            held.set(Objects.requireNonNull(call.body()));
          }
          return new ApiResult.Done(Objects.requireNonNull(held.get()));
        });
    publisher.start();
    report();
    tick();
    await().atMost(SOON).until(() -> api.leases().size() == 1);
    tick();
    await().atMost(SOON).until(() -> api.leases().size() == 2);
    assertThat(api.reports()).as("it is still there").hasSize(1);

    held.set(MissingNode.getInstance());
    tick();

    await().atMost(SOON).until(() -> api.leases().size() == 3);
    assertThat(api.reports()).as("written before the renewal").hasSize(2);
  }

  @Test
  void only_the_newest_state_arrives_after_an_outage() {
    api.answers(new ApiResult.Unreachable("refused"));
    publisher.start();
    report();
    await().atMost(SOON).until(() -> !api.calls().isEmpty());
    latestSample.update(sample -> sample.withReport(FAILING));
    latestSample.update(sample -> sample.withReport(HEALTHY));
    latestSample.update(sample -> sample.withReport(FAILING));
    api.answers(ApiResult.Done.withoutBody());

    await().atMost(SOON).until(() -> api.reports().size() == 1);
    assertThat(String.valueOf(api.reports().getFirst().body())).contains("SocketMissing");
    assertThat(journal.lastError()).isEmpty();
    assertThat(journal.publishedTransitions()).isEqualTo(4);
  }

  @Test
  void a_refused_lease_makes_the_report_the_heartbeat_after_three_ticks() {
    api.answers(
        call ->
            FakeApi.isLease(call)
                ? new ApiResult.Forbidden("403 no")
                : ApiResult.Done.withoutBody());
    publisher.start();
    report();
    for (int tick = 1; tick <= 3; tick++) {
      tick();
      int tries = tick;
      await().atMost(SOON).until(() -> api.leases().size() == tries);
    }
    await().atMost(SOON).until(() -> journal.heartbeat() == Heartbeat.CONDITION);
    int before = api.reports().size();
    tick();

    await().atMost(SOON).until(() -> api.reports().size() > before);
    assertThat(api.leases()).hasSize(3);
    assertThat(journal.lastError()).isEmpty();
  }

  @Test
  void a_bug_does_not_end_the_loop() {
    var thrown = new AtomicInteger();
    api.answers(
        call -> {
          if (thrown.getAndIncrement() == 0) {
            throw new AssertionError("for this test");
          }
          return ApiResult.Done.withoutBody();
        });
    publisher.start();
    report();

    await().atMost(SOON).until(() -> api.reports().size() == 1);
  }

  @Test
  void a_planned_stop_releases_the_lease_and_ends_the_thread() {
    publisher.start();
    report();
    tick();
    await().atMost(SOON).until(() -> api.leases().size() == 1);

    publisher.close();

    assertThat(String.valueOf(api.leases().getLast().body())).contains("\"holderIdentity\":\"\"");
    assertThat(api.isClosed()).isTrue();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.getName().equals("publisher"));
  }

  @Test
  void a_stop_without_a_lease_of_ours_writes_nothing() {
    publisher.start();
    publisher.close();

    assertThat(api.calls()).isEmpty();
  }

  private void report() {
    latestSample.update(sample -> sample.withReport(HEALTHY));
  }

  private void tick() {
    latestSample.update(sample -> sample.withTick(T0));
  }
}
