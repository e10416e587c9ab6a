// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReleaseChangesTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  private final ReleaseChanges changes = new ReleaseChanges();

  @Test
  void a_change_ends_the_wait_and_one_from_before_it_counts() throws InterruptedException {
    try (var waiter = changes.waiter("ns", "web")) {
      changes.changed("ns", "web");
      changes.changed("ns", "web");

      assertThat(waiter.await(LONG)).isTrue();
      assertThat(waiter.await(Duration.ZERO)).as("both were seen").isFalse();
    }
  }

  @Test
  void a_change_while_it_waits_ends_the_wait() throws InterruptedException {
    try (var waiter = changes.waiter("ns", "web")) {
      Thread.startVirtualThread(() -> changes.changed("ns", "web"));

      assertThat(waiter.await(LONG)).isTrue();
    }
  }

  @Test
  void other_releases_and_earlier_changes_do_not_count() throws InterruptedException {
    changes.changed("ns", "web");
    try (var waiter = changes.waiter("ns", "web")) {
      changes.changed("ns", "other");
      changes.changed("other", "web");

      assertThat(waiter.await(Duration.ZERO)).isFalse();
    }
  }

  @Test
  void after_the_limit_nobody_waits() throws InterruptedException {
    try (var waiter = changes.waiter("ns", "web")) {
      assertThat(waiter.await(Duration.ofMillis(1))).isFalse();
    }
  }
}
