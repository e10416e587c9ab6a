// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.base.time.Backoff;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class ControllerTest {
  private static final Backoff QUICK =
      Backoff.doubling(Duration.ofMillis(20), Duration.ofMillis(100));
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Queue<Request> requests = new ConcurrentLinkedQueue<>();
  private final Queue<ReconcileResult> outcomes = new ConcurrentLinkedQueue<>();
  private volatile Reconciler behaviour = request -> ReconcileResult.done();
  private final Controller controller =
      new Controller(
          "maps",
          new ConcurrencyLimits(4, 2),
          QUICK,
          request -> {
            requests.add(request);
            return behaviour.reconcile(request);
          },
          (key, reconcileResult, waited, took) -> outcomes.add(reconcileResult));

  @AfterEach
  void stop() throws Exception {
    controller.stop(Duration.ZERO);
  }

  private List<String> reconciled() {
    return requests.stream().map(request -> request.key().toString()).toList();
  }

  @Test
  void nothing_is_reconciled_before_it_is_resumed_and_then_everything() throws Exception {
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a", "b"))));
    await().during(Duration.ofMillis(50)).until(() -> requests.isEmpty());
    controller.resume(() -> true);
    await().until(() -> reconciled().size() == 2);
    assertThat(reconciled()).containsExactlyInAnyOrder("c1/ns/a", "c1/ns/b");
  }

  @Test
  void a_resume_waits_for_no_object_and_looks_only_at_those_that_are_reconciled() throws Exception {
    var reads = new AtomicInteger();
    var many = FakeCache.syncedWith("a", "b");
    controller.attach(
        "c1",
        List.of(
            ControllerWatch.of(many),
            ControllerWatch.of(
                FakeCache.syncedWith("x", "y", "z"),
                (cluster, object) -> {
                  reads.incrementAndGet();
                  return List.of(new WorkKey("c1", "ns", "a"));
                })));
    int before = reads.get();
    var listed = new CountDownLatch(1);
    many.listAfter(listed);
    controller.resume(() -> true); // Returns although nothing can be listed yet.
    listed.countDown();

    await().until(() -> reconciled().containsAll(List.of("c1/ns/a", "c1/ns/b")));
    assertThat(reconciled()).hasSize(2);
    assertThat(reads).hasValue(before);
  }

  @Test
  void an_end_that_comes_before_a_resume_has_taken_effect_stays_the_end() throws Exception {
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a", "b"))));
    for (int i = 0; i < 100; i++) {
      controller.resume(() -> true);
      controller.pause(LIMIT);
    }
    requests.clear();
    await().during(Duration.ofMillis(200)).until(() -> requests.isEmpty());
  }

  @Test
  void keys_of_a_cluster_wait_for_its_caches_and_other_clusters_do_not() throws Exception {
    var slow = new FakeCache();
    slow.put("a", 1);
    controller.attach(
        "slow", List.of(ControllerWatch.of(slow), ControllerWatch.of(FakeCache.syncedWith("b"))));
    controller.attach("quick", List.of(ControllerWatch.of(FakeCache.syncedWith("c"))));
    controller.resume(() -> true);
    await().until(() -> reconciled().equals(List.of("quick/ns/c")));
    slow.sync();
    await().until(() -> reconciled().size() == 3);
  }

  @Test
  void a_change_of_status_only_wakes_nobody_and_a_new_generation_does() throws Exception {
    var cache = FakeCache.syncedWith("a");
    controller.attach("c1", List.of(ControllerWatch.of(cache)));
    controller.resume(() -> true);
    await().until(() -> requests.size() == 1);
    cache.put("a", 1);
    await().during(Duration.ofMillis(50)).until(() -> requests.size() == 1);
    cache.put("a", 2);
    await().until(() -> requests.size() == 2);
  }

  @Test
  void an_exception_is_retried_with_its_count_until_it_works() throws Exception {
    behaviour =
        request -> {
          if (request.failures() < 3) {
            throw new IllegalStateException("broken");
          }
          return ReconcileResult.done();
        };
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(() -> true);
    await().until(() -> outcomes.stream().anyMatch(ReconcileResult.Done.class::isInstance));
    assertThat(requests).extracting(Request::failures).containsExactly(0, 1, 2, 3);
    assertThat(outcomes.peek())
        .isInstanceOfSatisfying(
            ReconcileResult.Retry.class,
            retry -> assertThat(retry.reason()).isEqualTo("IllegalStateException"));
  }

  @Test
  void a_new_generation_ends_the_back_off() throws Exception {
    behaviour = request -> ReconcileResult.retry("Broken", "still broken");
    var cache = FakeCache.syncedWith("a");
    controller.attach("c1", List.of(ControllerWatch.of(cache)));
    controller.resume(() -> true);
    await().until(() -> requests.stream().anyMatch(request -> request.failures() == 2));
    requests.clear();
    cache.put("a", 2);
    await().until(() -> requests.stream().anyMatch(request -> request.failures() == 0));
  }

  @Test
  void an_outcome_may_ask_for_another_look_later() throws Exception {
    behaviour = request -> ReconcileResult.requeueAfter(Duration.ofMillis(10));
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(() -> true);
    await().until(() -> requests.size() >= 3);
    assertThat(requests).extracting(Request::failures).containsOnly(0);
  }

  @Test
  void each_line_of_a_run_carries_its_context() throws Exception {
    var seen = new ConcurrentLinkedQueue<String>();
    behaviour =
        request -> {
          seen.add(
              String.join(
                  " ",
                  MDC.get("controller"),
                  MDC.get("cluster"),
                  MDC.get("namespace"),
                  MDC.get("name")));
          assertThat(MDC.get("run")).isEqualTo(request.run()).hasSize(8);
          return ReconcileResult.done();
        };
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(() -> true);
    await().until(() -> outcomes.size() == 1);
    assertThat(seen).containsExactly("maps c1 ns a");
    assertThat(outcomes.peek()).isInstanceOf(ReconcileResult.Done.class);
  }

  @Test
  void a_permit_that_ends_unnoticed_stops_new_runs_without_a_busy_loop() throws Exception {
    var asked = new AtomicInteger();
    var leading = new AtomicBoolean(false);
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(
        () -> {
          asked.incrementAndGet();
          return leading.get();
        });
    await().until(() -> asked.get() > 0);
    await().during(Duration.ofMillis(100)).until(() -> asked.get() <= 2);
    assertThat(requests).isEmpty();
    controller.resume(() -> true);
    await().until(() -> requests.size() == 1);
  }

  @Test
  void a_pause_interrupts_runs_and_a_resume_repeats_them_without_counting_a_failure()
      throws Exception {
    behaviour = hangingUntilInterrupted(new CountDownLatch(1));
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(() -> true);
    await().until(() -> requests.size() == 1);
    assertThat(controller.pause(LIMIT)).isTrue();
    assertThat(controller.state().running()).isZero();
    behaviour = request -> ReconcileResult.done();
    controller.resume(() -> true);
    await().until(() -> requests.size() == 2);
    assertThat(requests).extracting(Request::failures).containsOnly(0);
    assertThat(outcomes).as("the run that was cut short is not reported").hasSize(1);
  }

  private static Reconciler hangingUntilInterrupted(CountDownLatch never) {
    return request -> {
      never.await();
      return ReconcileResult.done();
    };
  }

  @Test
  void a_detached_cluster_leaves_nothing_behind() throws Exception {
    behaviour = hangingUntilInterrupted(new CountDownLatch(1));
    var cache = FakeCache.syncedWith("a", "b", "c");
    controller.attach("c1", List.of(ControllerWatch.of(cache)));
    controller.resume(() -> true);
    await().until(() -> requests.size() == 2);
    assertThat(controller.detach("c1", LIMIT)).isTrue();
    cache.put("d", 1);
    controller.enqueue(new WorkKey("c1", "ns", "e"));
    assertThat(cache.listeners()).isZero();
    assertThat(controller.state())
        .extracting(state -> state.ready() + state.delayed() + state.running() + state.parked())
        .isEqualTo(0);
  }

  @Test
  void a_released_cluster_lets_its_runs_end_and_its_next_ones_wait_for_them() throws Exception {
    var finish = new CountDownLatch(1);
    behaviour =
        request -> {
          finish.await();
          throw new IllegalStateException("the client of this run is closed");
        };
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(() -> true);
    await().until(() -> requests.size() == 1);

    controller.release("c1");
    behaviour = request -> ReconcileResult.done();
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a", "b"))));
    await().until(() -> reconciled().equals(List.of("c1/ns/a", "c1/ns/b")));
    finish.countDown();

    await().until(() -> reconciled().equals(List.of("c1/ns/a", "c1/ns/b", "c1/ns/a")));
    await().until(() -> outcomes.size() == 2);
    assertThat(outcomes)
        .as("the stale result is not reported")
        .containsOnly(ReconcileResult.done());
    assertThat(requests).allMatch(request -> request.failures() == 0);
  }

  @Test
  void a_parked_cluster_waits_and_its_back_off_ends_when_it_is_back() throws Exception {
    var cache = FakeCache.syncedWith("a");
    controller.attach("c1", List.of(ControllerWatch.of(cache)));
    controller.park("c1");
    controller.resume(() -> true);
    await().during(Duration.ofMillis(50)).until(() -> requests.isEmpty());
    controller.unpark("c1");
    await().until(() -> requests.size() == 1);
  }

  @Test
  void a_stop_grants_a_grace_period_and_then_interrupts() throws Exception {
    var finish = new CountDownLatch(1);
    behaviour = hangingUntilInterrupted(finish);
    controller.attach("c1", List.of(ControllerWatch.of(FakeCache.syncedWith("a"))));
    controller.resume(() -> true);
    await().until(() -> requests.size() == 1);
    assertThat(controller.stop(Duration.ofMillis(50))).as("interrupted in the end").isTrue();
    assertThat(outcomes).isEmpty();
    await().until(() -> !controller.isAlive());
  }
}
