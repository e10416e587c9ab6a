// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.ChartAccess.VersionLookup;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartResult;
import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.Loading;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.chart.ChartStore;
import io.krypton.operator.release.chart.ChartStore.ChartListener;
import io.krypton.operator.release.chart.ChartStore.RetryBackoff;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartAccessTest {
  private static final ChartRef CHART = ChartRef.of("/charts", "web", "1.2.3");
  private static final Waiter A = new Waiter(Owner.Kind.TENANT, "edge", "default", "a");
  private static final Waiter B = new Waiter(Owner.Kind.KRYPTON_DEPLOYMENT, "edge", "default", "b");

  @TempDir Path directory;

  private final BlockingQueue<ChartResult> answers = new LinkedBlockingQueue<>();
  private final List<Waiter> woken = new CopyOnWriteArrayList<>();
  private Supplier<List<Waiter>> waiting = List::of;
  private Loaded loaded;
  private ChartStore store;
  private ChartAccess charts;

  @BeforeEach
  void begin() throws IOException {
    begin(Duration.ofMillis(1));
  }

  private void begin(Duration pause) throws IOException {
    loaded =
        new Loaded(
            Files.writeString(directory.resolve("chart.tgz"), "chart"), "abc", "1.2.3", Set.of());
    store =
        new ChartStore(
            ref -> {
              try {
                return answers.take();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new NotLoaded("stopped");
              }
            },
            new RetryBackoff(pause, pause, new Random(1)),
            new ChartListener() {
              @Override
              public void changed(ChartRef ref, ChartResult result) {
                woken.addAll(waiting.get());
              }
            });
    charts = new ChartAccess(store);
    waiting = () -> charts.drainWaiters(CHART);
  }

  @AfterEach
  void end() {
    store.close();
  }

  @Test
  void who_asked_in_vain_is_woken_once_by_the_next_news_whatever_its_status_says() {
    assertThat(charts.load(CHART, A, null)).isEqualTo(new Loading());
    assertThat(charts.load(CHART, A, null)).isEqualTo(new Loading());
    assertThat(charts.load(CHART, B, null)).isEqualTo(new Loading());

    answers.add(loaded);

    await().untilAsserted(() -> assertThat(woken).containsExactlyInAnyOrder(A, B));
    assertThat(charts.drainWaiters(CHART)).isEmpty();
  }

  @Test
  void who_saw_a_failure_still_waits() {
    charts.load(CHART, A, null);
    answers.add(new NotLoaded("down"));
    await().untilAsserted(() -> assertThat(woken).containsExactly(A));

    assertThat(charts.load(CHART, A, null)).isEqualTo(new NotLoaded("down"));
    answers.add(loaded);
    await().untilAsserted(() -> assertThat(woken).containsExactly(A, A));
  }

  @Test
  void who_got_it_does_not_wait() {
    answers.add(loaded);
    await().until(() -> charts.load(CHART, A, null).equals(loaded));
    assertThat(charts.drainWaiters(CHART)).isEmpty();
  }

  @Test
  void an_exact_version_is_known_without_the_chart_and_nobody_waits_for_it() {
    assertThat(charts.version(CHART, A, null)).isEqualTo(new VersionLookup.Found("1.2.3"));
    assertThat(charts.drainWaiters(CHART)).isEmpty();
  }

  @Test
  void the_newest_version_is_waited_for() {
    var newest = ChartRef.of("/charts", "web", "");
    assertThat(charts.version(newest, A, null))
        .isEqualTo(new VersionLookup.NotLoaded(new Loading()));
    assertThat(charts.drainWaiters(newest)).containsExactly(A);
  }

  @Test
  void who_waits_for_one_chart_does_not_wait_for_another() {
    var other = ChartRef.of("/charts", "web", "1.2.4");
    charts.load(CHART, A, null);
    charts.load(other, B, null);

    assertThat(charts.drainWaiters(other)).containsExactly(B);
    assertThat(charts.drainWaiters(CHART)).containsExactly(A);
  }

  @Test
  void who_wants_no_chart_any_more_waits_for_none() {
    charts.load(CHART, A, null);
    charts.forget(A);

    assertThat(charts.drainWaiters(CHART)).isEmpty();
  }

  @Test
  void who_is_asked_about_by_hand_does_not_wait_for_the_back_off() throws IOException {
    store.close();
    begin(Duration.ofHours(1));
    charts.load(CHART, A, null);
    answers.add(new NotLoaded("down"));
    await().untilAsserted(() -> assertThat(woken).containsExactly(A));
    answers.add(loaded);

    assertThat(charts.load(CHART, A, "2026-01-01T00:00:00Z")).isEqualTo(new NotLoaded("down"));

    await().untilAsserted(() -> assertThat(woken).containsExactly(A, A));
    assertThat(charts.load(CHART, A, null)).isEqualTo(loaded);
  }
}
