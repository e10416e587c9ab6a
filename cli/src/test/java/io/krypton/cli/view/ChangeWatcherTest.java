// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ChangeWatcherTest {
  private static final Duration CALM = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(20);

  @Test
  void a_burst_of_changes_is_one_piece_of_news() throws InterruptedException {
    try (var changeWatcher = new ChangeWatcher(Duration.ZERO)) {
      for (int i = 0; i < 100; i++) {
        changeWatcher.changed();
      }

      assertThat(changeWatcher.await(LONG)).isTrue();
      assertThat(changeWatcher.await(Duration.ZERO)).isFalse();
    }
  }

  @Test
  void news_come_no_faster_than_somebody_reads() throws InterruptedException {
    try (var changeWatcher = new ChangeWatcher(CALM)) {
      changeWatcher.changed();
      changeWatcher.await(LONG);
      var first = System.nanoTime();
      changeWatcher.changed();
      changeWatcher.await(LONG);

      assertThat(Duration.ofNanos(System.nanoTime() - first))
          .isGreaterThanOrEqualTo(CALM.minusMillis(20));
    }
  }

  @Test
  void a_change_from_another_thread_ends_the_wait() throws InterruptedException {
    try (var changeWatcher = new ChangeWatcher(Duration.ZERO)) {
      var writer = Thread.ofVirtual().start(changeWatcher::changed);

      assertThat(changeWatcher.await(LONG)).isTrue();
      writer.join();
    }
  }
}
