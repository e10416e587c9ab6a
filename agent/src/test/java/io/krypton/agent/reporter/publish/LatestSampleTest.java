// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.FAILING;
import static io.krypton.agent.reporter.publish.Samples.HEALTHY;
import static io.krypton.agent.reporter.publish.Samples.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatestSampleTest {
  private final LatestSample latestSample = new LatestSample();

  @Test
  void a_million_updates_leave_one_sample() {
    for (int i = 0; i < 1_000_000; i++) {
      latestSample.update(sample -> sample.withTick(T0));
    }
    assertThat(latestSample.latest().tick()).isEqualTo(1_000_000);
  }

  @Test
  void only_changes_of_the_essence_count_as_transitions() {
    latestSample.update(sample -> sample.withReport(HEALTHY));
    latestSample.update(sample -> sample.withReport(HEALTHY));
    latestSample.update(sample -> sample.withReport(FAILING));

    assertThat(latestSample.latest().transitions()).isEqualTo(2);
    assertThat(latestSample.latest().report()).isEqualTo(FAILING);
  }

  @Test
  void a_waiting_reader_is_woken_by_an_update() throws InterruptedException {
    var seen = latestSample.latest();
    var woken = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                latestSample.awaitChange(seen, Duration.ofMinutes(1));
                woken.countDown();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    latestSample.update(sample -> sample.withReport(HEALTHY));

    assertThat(woken.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void a_reader_who_saw_an_older_sample_does_not_wait() throws InterruptedException {
    var seen = latestSample.latest();
    latestSample.update(sample -> sample.withReport(HEALTHY));
    long start = System.nanoTime();

    latestSample.awaitChange(seen, Duration.ofMinutes(1));

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
  }
}
