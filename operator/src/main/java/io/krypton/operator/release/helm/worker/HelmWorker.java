// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker process and the requests that it has not answered. Three threads serve its streams;
 * they end with it.
 */
final class HelmWorker {
  private static final Logger log = LoggerFactory.getLogger(HelmWorker.class);

  /** Frames that wait for the pipe; more than there are operations at once. */
  private static final int QUEUED = 256;

  private static final Duration TAKES_A_FRAME = Duration.ofSeconds(5);
  private static final Duration EXITS = Duration.ofSeconds(6);

  /** Empty, as no frame is; behind the last one it closes the pipe. */
  private static final byte[] END = {};

  /** Why a worker ended. */
  enum EndCause {
    /** We closed it. */
    CLOSED,
    /** We killed it, because it did not answer. */
    HANG,
    /** By itself, or by the hand of somebody else. */
    CRASH
  }

  private final WorkerProcess process;
  private final BiConsumer<HelmWorker, WorkerResponse> onAnswer;
  private final int longest;
  private final BlockingQueue<byte[]> outgoing = new ArrayBlockingQueue<>(QUEUED);
  private final CompletableFuture<EndCause> ended = new CompletableFuture<>();
  private final Map<Long, WorkerCall> open = new HashMap<>();
  private long lastId;
  private boolean draining;
  private @Nullable EndCause endCause;
  private @Nullable String how;

  /**
   * @param onAnswer hears each answer before the one who waits for it
   */
  HelmWorker(WorkerProcess process, BiConsumer<HelmWorker, WorkerResponse> onAnswer) {
    this(process, onAnswer, FrameCodec.LONGEST);
  }

  /**
   * @param longest request in bytes
   */
  HelmWorker(WorkerProcess process, BiConsumer<HelmWorker, WorkerResponse> onAnswer, int longest) {
    this.process = process;
    this.onAnswer = onAnswer;
    this.longest = longest;
  }

  void start() {
    var lines = new WorkerLog(this::redact, System::nanoTime);
    thread("writer", this::writeFrames);
    thread("reader", this::readFrames);
    thread("log", () -> lines.drain(process.errors()));
  }

  private static void thread(String name, Runnable work) {
    var _ = Thread.ofPlatform().daemon().name("helm worker " + name).start(work);
  }

  /**
   * Sends a request; nothing comes of it if the worker takes no more.
   *
   * @param owner what the call is stopped by
   */
  Optional<WorkerCall> request(String owner, WorkerRequest request, Supplier<Redactor> redactor)
      throws InterruptedException {
    WorkerCall call;
    synchronized (this) {
      if (draining || endCause != null) {
        return Optional.empty();
      }
      call = new WorkerCall(++lastId, owner, this, redactor);
      open.put(call.id(), call);
    }
    var sent = false;
    try {
      var frame = request.encode(call.id());
      if (frame.length > longest) {
        // The matter of this request alone: to write it would end the worker for all others.
        call.complete(new Reply.Answered(WorkerResponse.tooLong(call.id(), frame.length, longest)));
        return Optional.of(call);
      }
      sent = outgoing.offer(frame, TAKES_A_FRAME.toNanos(), TimeUnit.NANOSECONDS);
    } finally {
      if (!sent) {
        remove(call.id());
      }
    }
    if (sent) {
      return Optional.of(call);
    }
    kill(EndCause.HANG);
    return Optional.empty();
  }

  /** The request is answered all the same, as soon as nothing of it is on its way. */
  void cancel(long request) {
    post(WorkerRequest.cancel(request));
  }

  void forget(String cluster) {
    post(WorkerRequest.forget(cluster));
  }

  /** For what is not answered; it must not wait, so a worker that reads nothing is killed. */
  private void post(WorkerRequest notice) {
    long id;
    synchronized (this) {
      if (endCause != null) {
        return;
      }
      id = ++lastId;
    }
    if (!outgoing.offer(notice.encode(id))) {
      kill(EndCause.HANG);
    }
  }

  /** Stops the requests of an owner. */
  void stop(String owner) {
    calls().stream().filter(call -> call.owner().equals(owner)).forEach(WorkerCall::stop);
  }

  void stopAll() {
    calls().forEach(WorkerCall::stop);
  }

  private synchronized List<WorkerCall> calls() {
    return List.copyOf(open.values());
  }

  /** Takes no more requests, and ends when the last one is answered. */
  void drain() {
    synchronized (this) {
      draining = true;
      if (!open.isEmpty()) {
        return;
      }
    }
    close();
  }

  /** Closes its input: it cancels what it does and ends; whoever waits hears of its end. */
  void close() {
    synchronized (this) {
      draining = true;
      if (endCause == null) {
        endCause = EndCause.CLOSED;
      }
    }
    if (!outgoing.offer(END)) {
      process.kill();
    }
  }

  void kill(EndCause cause) {
    synchronized (this) {
      if (endCause == null) {
        endCause = cause;
      }
    }
    process.kill();
  }

  /** Completes when nothing is left of it and everybody who waited for an answer has been told. */
  CompletableFuture<EndCause> ended() {
    return ended;
  }

  /** How it ended, for people. */
  synchronized String how() {
    return how == null ? "it runs" : how;
  }

  private void writeFrames() {
    try (OutputStream pipe = new BufferedOutputStream(process.input())) {
      for (var frame = outgoing.take(); frame.length > 0; frame = outgoing.take()) {
        FrameCodec.write(pipe, frame);
      }
    } catch (FrameCodec.FrameException tooLong) {
      log.atError().log("a request to the Helm worker is too long: {}", tooLong.getMessage());
      process.kill();
    } catch (IOException gone) {
      // It takes nothing any more: the reader sees its end, which this brings about if need be.
      process.kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readFrames() {
    try (var pipe = new BufferedInputStream(process.output(), 1 << 16)) {
      for (var frame = FrameCodec.read(pipe); frame.isPresent(); frame = FrameCodec.read(pipe)) {
        answer(WorkerResponse.decode(frame.get()));
      }
    } catch (IOException broken) {
      log.atWarn().log("the Helm worker cannot be understood: {}", broken.getMessage());
      process.kill();
    } finally {
      end(exitCode());
    }
  }

  private void answer(WorkerResponse response) {
    var call = remove(response.id());
    onAnswer.accept(this, response);
    if (call != null) {
      call.complete(new Reply.Answered(response));
    }
  }

  private @Nullable WorkerCall remove(long id) {
    WorkerCall call;
    boolean wasLast;
    synchronized (this) {
      call = open.remove(id);
      wasLast = draining && open.isEmpty();
    }
    if (wasLast) {
      close();
    }
    return call;
  }

  /** Its output has ended; it follows, by itself or not. */
  private int exitCode() {
    try {
      return process.exit().get(EXITS.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException stays) {
      process.kill();
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    } catch (ExecutionException e) {
      throw new IllegalStateException("waiting for an exit cannot fail", e);
    }
  }

  private void end(int exitCode) {
    List<WorkerCall> unanswered;
    EndCause cause;
    synchronized (this) {
      cause = endCause == null ? EndCause.CRASH : endCause;
      endCause = cause;
      how =
          switch (cause) {
            case CLOSED -> "it was closed";
            case HANG -> "it did not answer and was killed";
            case CRASH -> "it ended with exit code " + exitCode;
          };
      unanswered = new ArrayList<>(open.values());
      open.clear();
    }
    outgoing.clear();
    var _ = outgoing.offer(END);
    unanswered.forEach(call -> call.complete(new Reply.WorkerEnded(how())));
    ended.complete(cause);
  }

  private String redact(String line, boolean isCut) {
    var clean = line;
    for (var call : calls()) {
      clean = call.redact(clean, isCut);
    }
    return clean;
  }
}
