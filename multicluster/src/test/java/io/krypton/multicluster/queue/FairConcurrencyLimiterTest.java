// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.queue.FairConcurrencyLimiter.Permit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FairConcurrencyLimiterTest {
  private final FakeNanos clock = new FakeNanos();
  private final List<String> called = new ArrayList<>();
  private FairConcurrencyLimiter<String> fairConcurrencyLimiter =
      new FairConcurrencyLimiter<>(ConcurrencyLimits.sharing(4), clock);

  @Test
  void one_cluster_never_takes_all_and_each_other_one_gets_on() {
    assertThat(take("slow", "a")).isPresent();
    assertThat(take("slow", "b")).isPresent();
    assertThat(take("slow", "c")).isPresent();
    assertThat(take("slow", "d")).isEmpty();
    assertThat(take("quick", "e")).isPresent();
  }

  @Test
  void what_one_has_shrinks_as_soon_as_another_is_busy() {
    var first = take("one", "a").orElseThrow();
    assertThat(take("one", "b")).isPresent();
    assertThat(take("one", "c")).isPresent();
    assertThat(take("two", "d")).isPresent();
    assertThat(take("two", "e")).isEmpty();
    assertThat(take("one", "f")).isEmpty();

    first.close();
    assertThat(called).as("one has more than its half").isEmpty();
    take("three", "g").orElseThrow().close();
    assertThat(called).isEmpty();
  }

  @Test
  void whoever_found_none_is_called_first_come_first_served() {
    var first = take("edge", "a").orElseThrow();
    var second = take("edge", "b").orElseThrow();
    assertThat(take("edge", "c")).isPresent();
    assertThat(take("edge", "d")).isEmpty();
    assertThat(take("edge", "e")).isEmpty();
    assertThat(take("edge", "d")).as("asks again and keeps its place").isEmpty();
    assertThat(called).isEmpty();

    first.close();
    assertThat(called).containsExactly("d");
    assertThat(take("edge", "new")).as("the turn is that of the called one").isEmpty();
    assertThat(take("edge", "d")).isPresent();
    second.close();
    assertThat(called).containsExactly("d", "e");
  }

  @Test
  void clusters_are_served_in_rotation() {
    fairConcurrencyLimiter = new FairConcurrencyLimiter<>(new ConcurrencyLimits(1, 1), clock);
    var permit = take("one", "a").orElseThrow();
    List.of("b", "c", "d").forEach(who -> take("one", who));
    List.of("e", "f").forEach(who -> take("two", who));
    var order = new ArrayList<String>();
    for (var i = 0; i < 5; i++) {
      permit.close();
      order.add(called.getLast());
      permit =
          take(List.of("e", "f").contains(order.getLast()) ? "two" : "one", order.getLast())
              .orElseThrow();
    }
    assertThat(order).containsExactly("b", "e", "c", "f", "d");
  }

  @Test
  void a_called_one_that_does_not_come_loses_its_turn() {
    fairConcurrencyLimiter = new FairConcurrencyLimiter<>(new ConcurrencyLimits(1, 1), clock);
    var permit = take("edge", "a").orElseThrow();
    take("edge", "gone");
    take("edge", "b");
    permit.close();
    assertThat(called).containsExactly("gone");
    assertThat(take("edge", "b")).isEmpty();
    clock.advance(Duration.ofSeconds(10));
    assertThat(take("edge", "b")).isPresent();
  }

  @Test
  void a_called_one_that_needs_none_any_more_hands_it_on() {
    fairConcurrencyLimiter = new FairConcurrencyLimiter<>(new ConcurrencyLimits(1, 1), clock);
    var permit = take("edge", "a").orElseThrow();
    take("edge", "b");
    take("edge", "c");
    permit.close();
    fairConcurrencyLimiter.cancel("edge", "b");
    assertThat(called).containsExactly("b", "c");
    fairConcurrencyLimiter.cancel("edge", "c");
    fairConcurrencyLimiter.cancel("edge", "never there");
    assertThat(fairConcurrencyLimiter.clusters()).isZero();
  }

  @Test
  void a_turn_is_given_back_once() {
    fairConcurrencyLimiter = new FairConcurrencyLimiter<>(new ConcurrencyLimits(2, 1), clock);
    var permit = take("edge", "a").orElseThrow();
    assertThat(take("other", "b")).isPresent();
    permit.close();
    permit.close();
    assertThat(take("third", "c")).isPresent();
    assertThat(take("fourth", "d")).isEmpty();
  }

  @Test
  void however_many_clusters_are_slow_the_next_one_gets_on() {
    fairConcurrencyLimiter = new FairConcurrencyLimiter<>(ConcurrencyLimits.sharing(8), clock);
    var running = new HashMap<String, Permit>();
    // Once around, so that each is known to be slow: nobody gives back before half a minute.
    for (var round = 0; round < 5; round++) {
      for (var i = 0; i < 20; i++) {
        var who = "slow-" + i;
        take(who, who).ifPresent(permit -> running.put(who, permit));
      }
      clock.advance(Duration.ofSeconds(40));
      if (round < 4) {
        Map.copyOf(running)
            .forEach(
                (who, permit) -> {
                  running.remove(who);
                  permit.close();
                });
        List.copyOf(called)
            .forEach(who -> take(who, who).ifPresent(permit -> running.put(who, permit)));
        called.clear();
      }
    }
    assertThat(running).hasSizeLessThanOrEqualTo(6);
    assertThat(take("quick", "a")).isPresent();
    assertThat(take("brisk", "b")).isPresent();
  }

  @Test
  void a_cluster_that_is_quick_again_has_its_claim_again() {
    fairConcurrencyLimiter = new FairConcurrencyLimiter<>(ConcurrencyLimits.sharing(2), clock);
    var slow = take("edge", "a").orElseThrow();
    clock.advance(Duration.ofSeconds(31));
    slow.close();
    assertThat(take("other", "b")).isPresent();
    assertThat(take("edge", "c")).as("the last one is kept").isEmpty();
    clock.advance(Duration.ofMinutes(10));
    assertThat(take("edge", "c")).isPresent();
  }

  @Test
  void nothing_is_remembered_of_clusters_that_rest() {
    take("edge", "a").orElseThrow().close();
    assertThat(fairConcurrencyLimiter.clusters()).isZero();
  }

  @Test
  void everybody_gets_a_turn_whatever_the_order() throws Exception {
    Seeded.runs(
        200,
        random -> {
          called.clear();
          fairConcurrencyLimiter =
              new FairConcurrencyLimiter<>(ConcurrencyLimits.sharing(1 + random.nextInt(6)), clock);
          var wanting = new ArrayDeque<String>();
          var held = new ArrayList<Permit>();
          for (var i = 0; i < 60; i++) {
            wanting.add("c%d/%d".formatted(random.nextInt(5), i));
          }
          var served = 0;
          while (served < 60) {
            var who = called.isEmpty() ? wanting.poll() : called.removeFirst();
            if (who != null) {
              var turn = take(who.substring(0, 2), who);
              served += turn.isPresent() ? 1 : 0;
              turn.ifPresent(held::add);
            }
            if (who == null || random.nextInt(3) == 0) {
              assertThat(held).as("somebody waits, and nobody works").isNotEmpty();
              held.remove(random.nextInt(held.size())).close();
            }
          }
          held.forEach(Permit::close);
          assertThat(fairConcurrencyLimiter.clusters()).isZero();
        });
  }

  private Optional<Permit> take(String cluster, String who) {
    return fairConcurrencyLimiter.tryAcquire(cluster, who, () -> called.add(who));
  }
}
