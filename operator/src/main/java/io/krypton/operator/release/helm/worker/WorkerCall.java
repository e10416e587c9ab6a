// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** A request that a worker has got, for the one who waits for its answer. */
final class WorkerCall {
  /**
   * A worker answers a cancellation when its requests are off the wire, at most two seconds later,
   * and gives the code another one. Together it is less than a lost lease leaves us.
   */
  static final Duration CANCEL_LIMIT = Duration.ofSeconds(4);

  /** How a request ended. */
  sealed interface Reply {
    record Answered(WorkerResponse response) implements Reply {}

    /** The worker ended before it answered. */
    record WorkerEnded(String how) implements Reply {}

    /** Ended by us after its time; {@code last} is how the worker answered that. */
    record TimedOut(Reply last) implements Reply {}

    /** Ended by us, or never begun, because nobody wants it any more. */
    record Stopped() implements Reply {}

    /** Not begun: there is no worker. */
    record Unusable(String reason) implements Reply {}
  }

  private final long id;
  private final String owner;
  private final HelmWorker worker;
  private final Supplier<Redactor> redactor;
  private final CompletableFuture<Reply> answer = new CompletableFuture<>();
  private final CompletableFuture<Boolean> stop = new CompletableFuture<>();

  /**
   * @param owner what it is stopped by
   * @param redactor of what must not be seen of it
   */
  WorkerCall(long id, String owner, HelmWorker worker, Supplier<Redactor> redactor) {
    this.id = id;
    this.owner = owner;
    this.worker = worker;
    this.redactor = redactor;
  }

  long id() {
    return id;
  }

  String owner() {
    return owner;
  }

  String redact(String text, boolean isCut) {
    return isCut ? redactor.get().redactCut(text) : redactor.get().redact(text);
  }

  void complete(Reply reply) {
    answer.complete(reply);
  }

  /** Asks whoever waits for it to end it. */
  void stop() {
    stop.complete(true);
  }

  /**
   * Waits for the answer, and brings it about when the time is up or the thread is interrupted,
   * which stays set. A worker that does not answer a cancellation in time hangs and is killed:
   * afterwards nothing of the request can be on its way.
   */
  Reply await(Duration limit) {
    try {
      CompletableFuture.anyOf(answer, stop).get(limit.toMillis(), TimeUnit.MILLISECONDS);
      if (answer.isDone()) {
        var reply = answer.join();
        return stop.isDone() && isCancelled(reply) ? new Reply.Stopped() : reply;
      }
      cancel();
      return new Reply.Stopped();
    } catch (TimeoutException tooLong) {
      return new Reply.TimedOut(cancel());
    } catch (InterruptedException interrupted) {
      cancel();
      Thread.currentThread().interrupt();
      return new Reply.Stopped();
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting for an answer cannot fail", e);
    }
  }

  /** A worker whose input is closed cancels all it does before anybody asks for it. */
  private static boolean isCancelled(Reply reply) {
    return reply instanceof Reply.Answered(var response) && response.is(WorkerResponse.CANCELLED);
  }

  /** Not interruptible, for the caller must know that it is over. */
  private Reply cancel() {
    worker.cancel(id);
    var interrupted = false;
    var deadline = System.nanoTime() + CANCEL_LIMIT.toNanos();
    try {
      while (true) {
        try {
          return answer.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (TimeoutException hangs) {
          worker.kill(HelmWorker.EndCause.HANG);
          return new Reply.WorkerEnded("it did not answer and was killed");
        } catch (ExecutionException e) {
          throw new IllegalStateException("waiting for an answer cannot fail", e);
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
