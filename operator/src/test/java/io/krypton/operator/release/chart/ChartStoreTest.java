// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.Loading;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.chart.ChartResult.VersionInvalid;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartStoreTest {
  private static final ChartRef CHART = ChartRef.of("/charts", "web", "1.2.3");
  private static final NotLoaded DOWN = new NotLoaded("down");
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir Path directory;

  private final BlockingQueue<ChartResult> answers = new LinkedBlockingQueue<>();
  private final AtomicInteger attempts = new AtomicInteger();
  private final List<ChartResult> heard = new CopyOnWriteArrayList<>();
  private final List<ChartResult> news = new CopyOnWriteArrayList<>();
  private ChartStore store = store(Duration.ofMillis(1));

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void asking_never_blocks_and_a_thousand_who_ask_cause_one_attempt() throws IOException {
    for (int i = 0; i < 1000; i++) {
      assertThat(store.chart(CHART)).isEqualTo(new Loading());
    }
    var loaded = loaded();
    answers.add(loaded);
    await().atMost(LONG).until(() -> store.chart(CHART).equals(loaded));
    assertThat(attempts).hasValue(1);
    await().atMost(LONG).untilAsserted(() -> assertThat(heard).containsExactly(loaded));
  }

  @Test
  void failures_are_tried_again_until_it_is_there() throws IOException {
    var loaded = loaded();
    answers.addAll(List.of(DOWN, new ChartResult.VersionNotFound("x"), DOWN, loaded));
    store.chart(CHART);
    var missing = new ChartResult.VersionNotFound("x");
    await()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(heard).containsExactly(DOWN, missing, DOWN, loaded));
    assertThat(store.chart(CHART)).isEqualTo(loaded);
  }

  @Test
  void a_failure_is_the_answer_until_the_next_attempt() {
    store.close();
    store = store(Duration.ofHours(1));
    answers.add(DOWN);
    store.chart(CHART);
    await().atMost(LONG).until(() -> store.chart(CHART).equals(DOWN));
    assertThat(store.chart(CHART)).isEqualTo(DOWN);
    assertThat(attempts).hasValue(1);
  }

  @Test
  void a_request_by_hand_ends_the_back_off_once() {
    store.close();
    store = store(Duration.ofHours(1));
    answers.add(DOWN);
    await().atMost(LONG).until(() -> store.chart(CHART).equals(DOWN));
    var still = new NotLoaded("still down");
    answers.add(still);

    for (int i = 0; i < 1000; i++) {
      store.chart(CHART, "a");
    }
    await().atMost(LONG).until(() -> store.chart(CHART, "a").equals(still));
    answers.add(DOWN);
    assertThat(store.chart(CHART, "a")).isEqualTo(still);
    assertThat(attempts).hasValue(2);

    store.chart(CHART, "b");
    await().atMost(LONG).until(() -> store.chart(CHART, "b").equals(DOWN));
    assertThat(attempts).hasValue(3);
  }

  @Test
  void the_same_failure_again_is_no_news() throws IOException {
    var loaded = loaded();
    answers.addAll(List.of(DOWN, new NotLoaded("still down"), loaded));
    store.chart(CHART);
    await().atMost(LONG).untilAsserted(() -> assertThat(news).containsExactly(DOWN, loaded));
    assertThat(heard).containsExactly(DOWN, new NotLoaded("still down"), loaded);
  }

  @Test
  void the_log_tells_in_words_what_came_of_it() throws IOException {
    try (var log = new LogLines(ChartStore.class)) {
      answers.addAll(List.of(DOWN, loaded()));
      store.chart(CHART);
      await().atMost(LONG).until(() -> store.chart(CHART) instanceof Loaded);
      assertThat(log.lines())
          .containsExactly(
              "WARN chart is not loaded: down", "INFO chart version 1.2.3 is loaded (sha256 abc)");
    }
  }

  @Test
  void a_version_that_is_none_causes_no_attempt() {
    var range = ChartRef.of("/charts", "web", "^1.2");
    assertThat(store.chart(range)).isEqualTo(new VersionInvalid("^1.2"));
    assertThat(attempts).hasValue(0);
  }

  @Test
  void an_archive_that_was_cleaned_away_is_loaded_again() throws IOException {
    var loaded = loaded();
    answers.add(loaded);
    store.chart(CHART);
    await().atMost(LONG).until(() -> store.chart(CHART).equals(loaded));
    Files.delete(loaded.archive());
    assertThat(store.chart(CHART)).isEqualTo(new Loading());
    answers.add(loaded());
    await().atMost(LONG).until(() -> store.chart(CHART) instanceof Loaded);
    // Whoever asked in between was told to wait, so this is news once more.
    await().atMost(LONG).untilAsserted(() -> assertThat(news).containsExactly(loaded, loaded));
  }

  @Test
  void a_bug_in_a_loader_does_not_end_the_attempts() throws IOException {
    var broken = new AtomicInteger();
    var loaded = loaded();
    try (var careful =
        new ChartStore(
            chart -> {
              if (broken.getAndIncrement() == 0) {
                throw new IllegalStateException("a bug");
              }
              return loaded;
            },
            new RetryBackoff(Duration.ofMillis(1), Duration.ofMillis(1), new Random(1)),
            ChartListener.NONE)) {
      careful.chart(CHART);
      await().atMost(LONG).until(() -> careful.chart(CHART).equals(loaded));
    }
  }

  @Test
  void back_off_doubles_up_to_five_minutes_give_or_take_a_fifth() {
    var seed = 42;
    var retryBackoff =
        new RetryBackoff(Duration.ofSeconds(5), Duration.ofMinutes(5), new Random(seed));
    var expected = List.of(5, 10, 20, 40, 80, 160, 300, 300);
    for (int round = 0; round < 100; round++) {
      for (int i = 0; i < expected.size(); i++) {
        assertThat(retryBackoff.afterFailure(i + 1).toMillis())
            .describedAs("failure %d, seed %d", i + 1, seed)
            .isBetween(expected.get(i) * 800L, expected.get(i) * 1200L);
      }
    }
    assertThat(retryBackoff.afterFailure(1_000_000)).isLessThanOrEqualTo(Duration.ofMinutes(6));
  }

  private Loaded loaded() throws IOException {
    var archive = Files.writeString(directory.resolve("chart.tgz"), "chart");
    return new Loaded(archive, "abc", "1.2.3", Set.of());
  }

  private ChartStore store(Duration pause) {
    return new ChartStore(
        chart -> {
          attempts.incrementAndGet();
          try {
            return answers.take();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return DOWN;
          }
        },
        new RetryBackoff(pause, pause, new Random(1)),
        new ChartListener() {
          @Override
          public void attempted(ChartRef chart, ChartResult result) {
            heard.add(result);
          }

          @Override
          public void changed(ChartRef chart, ChartResult result) {
            news.add(result);
          }
        });
  }
}
