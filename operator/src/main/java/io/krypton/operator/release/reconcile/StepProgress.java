// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The states of one owner during one run, in their order. That a step is under way is written once
 * it has lasted for a while: most steps are over before anybody could read it, and what comes of
 * them is written anyway. A state that was not written is not lost; the next one is built upon it.
 *
 * <p>For the worker of the run. A step that lasts is written by another thread, but only between
 * its start and its end, while the worker writes nothing itself.
 *
 * @param <S> what there is to say of an owner
 */
public final class StepProgress<S> {
  /** A step that is over sooner is not written. */
  public static final Duration DELAY = Duration.ofMillis(300);

  /** A write that takes longer is cut short: the step is over, and its end is to be told. */
  private static final Duration WRITE_LIMIT = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(StepProgress.class);

  private final Executor afterDelay;
  private final Consumer<List<S>> write;
  private final List<S> unwritten = new ArrayList<>();
  private @Nullable Step step;

  /**
   * For one run.
   *
   * @param afterDelay runs a task some time later, on a thread of its own
   * @param write writes the last of the states, which was built upon those before it
   */
  public StepProgress(Executor afterDelay, Consumer<List<S>> write) {
    this.afterDelay = afterDelay;
    this.write = write;
  }

  /** Runs tasks after {@link #DELAY}. */
  public static Executor afterDelay() {
    return CompletableFuture.delayedExecutor(
        DELAY.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread);
  }

  /** A step that may take its time begins. */
  public void stepStarted(S state) {
    stepEnded();
    unwritten.add(state);
    step = new Step(this::writePending, MDC.getCopyOfContextMap());
    afterDelay.execute(step);
  }

  /** Nothing is written of the step from now on; a write that is under way is waited for. */
  public void stepEnded() {
    if (step != null) {
      step.end();
      step = null;
    }
  }

  /** Writes a state at once. */
  public void write(S state) {
    unwritten.add(state);
    writePending();
  }

  /** Writes the last state if it is not written yet; for a run that ends with nothing to say. */
  public void writePending() {
    if (!unwritten.isEmpty()) {
      write.accept(List.copyOf(unwritten));
      unwritten.clear();
    }
  }

  /** The delayed write of one step. */
  private static final class Step implements Runnable {
    private final ReentrantLock writing = new ReentrantLock();
    private final Runnable write;
    private final @Nullable Map<String, String> logContext;
    private boolean isOver;
    private volatile @Nullable Thread writer;

    Step(Runnable write, @Nullable Map<String, String> logContext) {
      this.write = write;
      this.logContext = logContext;
    }

    @Override
    public void run() {
      writing.lock();
      try {
        if (!isOver) {
          writer = Thread.currentThread();
          writeNow();
        }
      } finally {
        writer = null;
        writing.unlock();
      }
    }

    private void writeNow() {
      if (logContext != null) {
        MDC.setContextMap(logContext);
      }
      try {
        write.run();
      } catch (RuntimeException failed) {
        // What comes of the step is written with all that was to be said of it.
        log.atDebug().setCause(failed).log("progress could not be written");
      } finally {
        MDC.clear();
      }
    }

    void end() {
      var isFree = false;
      var isInterrupted = false;
      try {
        isFree = writing.tryLock(WRITE_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException stopped) {
        isInterrupted = true;
      }
      if (!isFree) {
        interruptWriter();
        writing.lock();
      }
      isOver = true;
      writing.unlock();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }

    private void interruptWriter() {
      var now = writer;
      if (now != null) {
        now.interrupt();
      }
    }
  }
}
