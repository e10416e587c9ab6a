// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.kmshealth.cleanup.OrphanRemover.Removal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class OrphanCleanupTest {
  private final AtomicReference<Duration> now = new AtomicReference<>(Duration.ofMinutes(9));
  private final OrphanCleanup orphanCleanup = new OrphanCleanup("edge", now::get, new Random(1));
  private final List<String> tried = new ArrayList<>();

  private Function<String, Removal> failingFor(String... nodes) {
    return node -> {
      tried.add(node);
      return List.of(nodes).contains(node)
          ? new Removal.Unfinished("HTTP 409")
          : new Removal.Done();
    };
  }

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  @Test
  void what_goes_at_once_needs_no_other_look() {
    var result = orphanCleanup.cleanUp(List.of("a", "b"), failingFor());
    assertThat(result.removed()).containsExactly("a", "b");
    assertThat(result.requeueAfter()).isEmpty();
  }

  @Test
  void one_that_fails_holds_up_no_other_and_is_due_again_soon() {
    var result = orphanCleanup.cleanUp(List.of("a", "b"), failingFor("a"));
    assertThat(result.removed()).containsExactly("b");
    assertThat(result.requeueAfter().orElseThrow().toMillis()).isBetween(800L, 1200L);
  }

  @Test
  void it_is_left_alone_until_it_is_due_and_forgotten_once_it_is_gone() {
    orphanCleanup.cleanUp(List.of("a"), failingFor("a"));
    pass(Duration.ofMillis(700));
    var early = orphanCleanup.cleanUp(List.of("a"), failingFor());
    assertThat(early.removed()).isEmpty();
    assertThat(early.requeueAfter()).isPresent();
    assertThat(tried).containsExactly("a");

    pass(early.requeueAfter().orElseThrow());
    assertThat(orphanCleanup.cleanUp(List.of("a"), failingFor()))
        .isEqualTo(new OrphanCleanup.Result(List.of("a"), Optional.empty()));
  }

  @Test
  void each_failure_makes_the_pause_longer_up_to_a_minute() {
    var pauses = new ArrayList<Long>();
    for (int i = 0; i < 10; i++) {
      var pause = orphanCleanup.cleanUp(List.of("a"), failingFor("a")).requeueAfter().orElseThrow();
      pauses.add(pause.toMillis());
      pass(pause);
    }
    assertThat(tried).hasSize(10);
    for (int i = 0; i < pauses.size(); i++) {
      var middle = Math.min(60_000, 1000 << i);
      assertThat(pauses.get(i)).isBetween((long) (middle * 0.8), (long) (middle * 1.2));
    }
  }

  @Test
  void a_node_that_is_no_orphan_any_more_begins_anew() {
    orphanCleanup.cleanUp(List.of("a"), failingFor("a"));
    pass(Duration.ofSeconds(2));
    orphanCleanup.cleanUp(List.of("a"), failingFor("a"));
    assertThat(orphanCleanup.cleanUp(List.of(), failingFor()).requeueAfter()).isEmpty();
    assertThat(
            orphanCleanup
                .cleanUp(List.of("a"), failingFor("a"))
                .requeueAfter()
                .orElseThrow()
                .toMillis())
        .isBetween(800L, 1200L);
  }
}
