// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops a list of named steps. Steps start in the order of the list. On close, all of
 * them drain in that order, so that work ends before anything it needs is gone; then they close in
 * reverse order. A step that fails to drain or to close is logged, and the others go on all the
 * same.
 */
final class Lifecycle implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Lifecycle.class);

  private final List<Step> steps;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CountDownLatch closed = new CountDownLatch(1);

  Lifecycle(List<Step> steps) {
    this.steps = List.copyOf(steps);
  }

  /** Ends work within a bound of its own. */
  interface Drain {
    void run() throws InterruptedException;
  }

  /** A part of the operator: each action may be nothing. */
  record Step(String name, Runnable start, Drain drain, Runnable close) {
    static Step of(String name) {
      return new Step(name, () -> {}, () -> {}, () -> {});
    }

    Step onStart(Runnable action) {
      return new Step(name, action, drain, close);
    }

    Step onDrain(Drain action) {
      return new Step(name, start, action, close);
    }

    Step onClose(Runnable action) {
      return new Step(name, start, drain, action);
    }
  }

  List<String> names() {
    return steps.stream().map(Step::name).toList();
  }

  void start() {
    for (var step : steps) {
      log.debug("starting {}", step.name);
      step.start.run();
    }
  }

  /** Only the first call has an effect; others return at once. */
  @Override
  public void close() {
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    log.info("shutting down");
    var interrupted = drain();
    for (var step : steps.reversed()) {
      close(step);
    }
    closed.countDown();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean drain() {
    for (var step : steps) {
      log.debug("draining {}", step.name);
      try {
        step.drain.run();
      } catch (InterruptedException interrupted) {
        return true;
      } catch (RuntimeException failed) {
        log.error("draining {} failed", step.name, failed);
      }
    }
    return false;
  }

  private static void close(Step step) {
    log.debug("closing {}", step.name);
    try {
      step.close.run();
    } catch (RuntimeException failed) {
      log.error("closing {} failed", step.name, failed);
    }
  }

  /** Returns once {@link #close} has run to its end. */
  void awaitClosed() throws InterruptedException {
    closed.await();
  }
}
