// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class StepProgressTest {
  /** What was written, each with the states before it that were not. */
  private final List<List<String>> written = new CopyOnWriteArrayList<>();

  private final List<Runnable> delayed = new ArrayList<>();
  private final StepProgress<String> progress = new StepProgress<>(delayed::add, written::add);

  private void theDelayPasses() {
    List.copyOf(delayed).forEach(Runnable::run);
    delayed.clear();
  }

  @Test
  void a_step_that_is_over_before_the_delay_is_not_written() {
    progress.stepStarted("installing");
    progress.stepEnded();
    theDelayPasses();

    assertThat(written).isEmpty();
  }

  @Test
  void a_step_that_lasts_is_written_once() {
    progress.stepStarted("installing");
    theDelayPasses();
    theDelayPasses();
    progress.stepEnded();

    assertThat(written).containsExactly(List.of("installing"));
  }

  @Test
  void what_follows_is_built_upon_what_was_not_written() {
    progress.stepStarted("unlocking");
    progress.stepEnded();
    progress.stepStarted("installing");
    progress.stepEnded();
    progress.write("ready");

    assertThat(written).containsExactly(List.of("unlocking", "installing", "ready"));
  }

  @Test
  void what_was_written_is_not_built_upon_again() {
    progress.stepStarted("installing");
    theDelayPasses();
    progress.stepEnded();
    progress.write("ready");

    assertThat(written).containsExactly(List.of("installing"), List.of("ready"));
  }

  @Test
  void nothing_is_written_of_a_step_once_its_end_was_written() {
    progress.stepStarted("installing");
    progress.stepEnded();
    progress.write("ready");
    theDelayPasses();

    assertThat(written).containsExactly(List.of("installing", "ready"));
  }

  @Test
  void a_step_ends_where_the_next_one_begins() {
    progress.stepStarted("unlocking");
    progress.stepStarted("installing");
    theDelayPasses();

    assertThat(written).containsExactly(List.of("unlocking", "installing"));
  }

  @Test
  void a_run_that_ends_without_a_word_leaves_what_its_last_step_was() {
    progress.stepStarted("installing");
    progress.stepEnded();
    progress.writePending();
    progress.writePending();

    assertThat(written).containsExactly(List.of("installing"));
  }

  @Test
  void a_write_that_fails_is_made_up_for_by_the_next_one() {
    var failing =
        new StepProgress<String>(
            delayed::add,
            states -> {
              if (states.size() == 1) {
                throw new IllegalStateException("no answer");
              }
              written.add(states);
            });
    failing.stepStarted("installing");
    theDelayPasses();
    failing.stepEnded();
    failing.write("ready");

    assertThat(written).containsExactly(List.of("installing", "ready"));
    assertThatThrownBy(() -> failing.write("again")).hasMessage("no answer");
  }

  @Test
  void the_end_of_a_step_waits_for_a_write_that_is_under_way() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var mayEnd = new CountDownLatch(1);
    var slow =
        new StepProgress<String>(
            Thread::startVirtualThread,
            states -> {
              begun.countDown();
              if (states.equals(List.of("installing"))) {
                awaitUninterrupted(mayEnd);
              }
              written.add(states);
            });
    slow.stepStarted("installing");
    begun.await();
    var worker =
        Thread.startVirtualThread(
            () -> {
              slow.stepEnded();
              slow.write("ready");
            });
    await().until(() -> worker.getState() == Thread.State.TIMED_WAITING);
    mayEnd.countDown();
    worker.join();

    assertThat(written).containsExactly(List.of("installing"), List.of("ready"));
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException cutShort) {
      throw new IllegalStateException(cutShort);
    }
  }

  @Test
  void a_write_that_takes_too_long_is_cut_short() throws InterruptedException {
    var begun = new CountDownLatch(1);
    var hanging =
        new StepProgress<String>(
            Thread::startVirtualThread,
            states -> {
              if (states.equals(List.of("installing"))) {
                begun.countDown();
                awaitUninterrupted(new CountDownLatch(1));
              }
              written.add(states);
            });
    hanging.stepStarted("installing");
    begun.await();
    hanging.stepEnded();
    hanging.write("ready");

    assertThat(written).containsExactly(List.of("installing", "ready"));
  }

  @Test
  void a_worker_that_is_interrupted_cuts_the_write_short_and_stays_interrupted()
      throws InterruptedException {
    var begun = new CountDownLatch(1);
    Executor atOnce = Thread::startVirtualThread;
    var hanging =
        new StepProgress<String>(
            atOnce,
            states -> {
              begun.countDown();
              awaitUninterrupted(new CountDownLatch(1));
            });
    hanging.stepStarted("installing");
    begun.await();
    Thread.currentThread().interrupt();
    hanging.stepEnded();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(written).isEmpty();
  }
}
