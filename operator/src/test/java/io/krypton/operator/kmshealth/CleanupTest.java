package io.krypton.operator.kmshealth;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.kmshealth.publish.Removal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class CleanupTest {
  private final AtomicReference<Duration> now = new AtomicReference<>(Duration.ofMinutes(9));
  private final Cleanup cleanup = new Cleanup("edge", now::get, new Random(1));
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
    var round = cleanup.round(List.of("a", "b"), failingFor());
    assertThat(round.removed()).containsExactly("a", "b");
    assertThat(round.pause()).isEmpty();
  }

  @Test
  void one_that_fails_holds_up_no_other_and_is_due_again_soon() {
    var round = cleanup.round(List.of("a", "b"), failingFor("a"));
    assertThat(round.removed()).containsExactly("b");
    assertThat(round.pause().orElseThrow().toMillis()).isBetween(800L, 1200L);
  }

  @Test
  void it_is_left_alone_until_it_is_due_and_forgotten_once_it_is_gone() {
    cleanup.round(List.of("a"), failingFor("a"));
    pass(Duration.ofMillis(700));
    var early = cleanup.round(List.of("a"), failingFor());
    assertThat(early.removed()).isEmpty();
    assertThat(early.pause()).isPresent();
    assertThat(tried).containsExactly("a");

    pass(early.pause().orElseThrow());
    assertThat(cleanup.round(List.of("a"), failingFor()))
        .isEqualTo(new Cleanup.Round(List.of("a"), Optional.empty()));
  }

  @Test
  void each_failure_makes_the_pause_longer_up_to_a_minute() {
    var pauses = new ArrayList<Long>();
    for (int i = 0; i < 10; i++) {
      var pause = cleanup.round(List.of("a"), failingFor("a")).pause().orElseThrow();
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
    cleanup.round(List.of("a"), failingFor("a"));
    pass(Duration.ofSeconds(2));
    cleanup.round(List.of("a"), failingFor("a"));
    assertThat(cleanup.round(List.of(), failingFor()).pause()).isEmpty();
    assertThat(cleanup.round(List.of("a"), failingFor("a")).pause().orElseThrow().toMillis())
        .isBetween(800L, 1200L);
  }
}
