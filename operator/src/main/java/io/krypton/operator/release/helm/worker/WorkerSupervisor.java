// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.base.time.Backoff;
import io.krypton.operator.release.helm.HelmEngine.Readiness;
import io.krypton.operator.release.helm.HelmEngine.RestartReason;
import io.krypton.operator.release.helm.HelmEngine.WorkerListener;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.worker.HelmWorker.EndCause;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import io.krypton.operator.release.helm.worker.WorkerStarter.StartResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one worker that takes requests: starts it when it is needed, again after a crash, and a
 * fresh one beside one that has grown old, which ends what it has begun.
 */
final class WorkerSupervisor {
  private static final Logger log = LoggerFactory.getLogger(WorkerSupervisor.class);

  /** The first crash after an answer is mended at once. */
  private static final Backoff RESTARTS =
      Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(15));

  private static final String NOT_STARTED = "starting the helm worker failed";

  private final WorkerStarter starter;
  private final RecyclePolicy policy;
  private final WorkerListener listener;
  private final LongSupplier nanoTime;

  /** All that have been greeted and live, also those that only end what they have begun. */
  private final Map<HelmWorker, Service> alive = new HashMap<>();

  private @Nullable HelmWorker current;
  private @Nullable CompletableFuture<Lookup> starting;
  private boolean replacing;
  private boolean closed;
  private int failures;
  private long notBefore;
  private long notReplacedBefore;
  private String version = "";
  private String problem = "not started yet";

  /** The worker that takes requests, or why there is none. */
  private sealed interface Lookup {
    record Found(HelmWorker worker) implements Lookup {}

    record Missing(String reason) implements Lookup {}
  }

  /** What a worker has done. */
  private static final class Service {
    private final long since;
    private int answers;
    private long bytes;

    private Service(long since, long bytes) {
      this.since = since;
      this.bytes = bytes;
    }
  }

  WorkerSupervisor(
      WorkerStarter starter, RecyclePolicy policy, WorkerListener listener, LongSupplier nanoTime) {
    this.starter = starter;
    this.policy = policy;
    this.listener = listener;
    this.nanoTime = nanoTime;
    this.notBefore = nanoTime.getAsLong();
    this.notReplacedBefore = notBefore;
  }

  /**
   * Has a worker do something and waits for its answer. An interrupt of the thread ends the request
   * and stays set.
   *
   * @param owner what it is stopped by
   */
  Reply ask(String owner, WorkerRequest request, Duration limit, Supplier<Redactor> redactor) {
    try {
      while (true) {
        switch (worker()) {
          case Lookup.Missing(var reason) -> {
            return isClosed() ? new Reply.Stopped() : new Reply.Unusable(reason);
          }
          case Lookup.Found(var worker) -> {
            var call = worker.request(owner, request, redactor);
            if (call.isPresent()) {
              return await(call.get(), limit);
            }
            // Drained or dead since; the next look finds another one.
            release(worker);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Stopped();
    }
  }

  private Reply await(WorkerCall call, Duration limit) {
    if (isClosed()) {
      call.stop(); // The closer did not see it.
    }
    var reply = call.await(limit);
    return reply instanceof Reply.WorkerEnded && isClosed() ? new Reply.Stopped() : reply;
  }

  /** Makes sure that there is a worker. */
  Readiness check() throws InterruptedException {
    return switch (worker()) {
      case Lookup.Found found -> new Readiness.Ready(version());
      case Lookup.Missing(var reason) -> new Readiness.NotReady(reason);
    };
  }

  /** What is wrong with the program or its last start. */
  Optional<String> problem() {
    synchronized (this) {
      if (!problem.isEmpty()) {
        return Optional.of(problem);
      }
      if (current != null) {
        return Optional.empty();
      }
    }
    return starter.problem();
  }

  synchronized String version() {
    return version;
  }

  synchronized int processes() {
    return alive.size();
  }

  synchronized long bytes() {
    return alive.values().stream().mapToLong(it -> it.bytes).sum();
  }

  void stop(String owner) {
    workers().forEach(worker -> worker.stop(owner));
  }

  void forget(String cluster) {
    workers().forEach(worker -> worker.forget(cluster));
  }

  private synchronized List<HelmWorker> workers() {
    return List.copyOf(alive.keySet());
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** It is started if need be and possible. */
  private Lookup worker() throws InterruptedException {
    CompletableFuture<Lookup> start;
    synchronized (this) {
      if (closed) {
        return new Lookup.Missing("shutting down");
      }
      if (current != null) {
        return new Lookup.Found(current);
      }
      if (starting == null) {
        if (nanoTime.getAsLong() - notBefore < 0) {
          return new Lookup.Missing(problem);
        }
        var own = new CompletableFuture<Lookup>();
        starting = own;
        var _ = Thread.ofVirtual().name("helm worker start").start(() -> startFirst(own));
      }
      start = starting;
    }
    try {
      return start.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("starting a worker failed", e);
    }
  }

  private void startFirst(CompletableFuture<Lookup> start) {
    Lookup outcome = new Lookup.Missing(NOT_STARTED);
    HelmWorker surplus = null;
    try {
      outcome = accept(starter.start(this::answered));
    } finally {
      synchronized (this) {
        starting = null;
        switch (outcome) {
          case Lookup.Found(var worker) -> surplus = serve(worker);
          case Lookup.Missing(var reason) -> {
            problem = reason;
            backOff();
          }
        }
      }
      start.complete(outcome);
      if (surplus != null) {
        surplus.drain();
      }
    }
  }

  /**
   * Needs the lock. Answers with the worker that served until now, which nobody else would end: the
   * start of a fresh one and a restart after a crash do not wait for each other.
   */
  private @Nullable HelmWorker serve(HelmWorker fresh) {
    var before = current;
    current = fresh;
    return before;
  }

  private Lookup accept(StartResult result) {
    return switch (result) {
      case StartResult.Refused(var reason) -> new Lookup.Missing(reason);
      case StartResult.Started(var worker, var greeting) ->
          enlist(worker, greeting) ? new Lookup.Found(worker) : new Lookup.Missing("shutting down");
    };
  }

  private boolean enlist(HelmWorker worker, WorkerResponse greeting) {
    synchronized (this) {
      if (!closed) {
        problem = "";
        version = greeting.helm();
        alive.put(worker, new Service(nanoTime.getAsLong(), greeting.residentBytes()));
      }
    }
    if (isClosed()) {
      worker.close(); // The closer did not see it.
      return false;
    }
    var _ = worker.ended().thenAccept(cause -> ended(worker, cause));
    return true;
  }

  /** Needs the lock. What failed is tried again by itself, so that a cured problem is seen. */
  private void backOff() {
    if (closed) {
      return;
    }
    failures++;
    var delay = failures == 1 ? Duration.ZERO : RESTARTS.delay(failures - 1);
    notBefore = nanoTime.getAsLong() + delay.toNanos();
    CompletableFuture.delayedExecutor(delay.toMillis() + 1, TimeUnit.MILLISECONDS)
        .execute(this::restart);
  }

  private void restart() {
    try {
      var _ = worker();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void release(HelmWorker worker) {
    if (current == worker) {
      current = null;
    }
  }

  private void ended(HelmWorker worker, EndCause cause) {
    synchronized (this) {
      alive.remove(worker);
      release(worker);
      if (closed || cause == EndCause.CLOSED) {
        return;
      }
      if (current == null) {
        backOff();
        problem = failures > 1 ? "the helm worker keeps ending: " + worker.how() : "";
      }
    }
    log.atWarn().log("the Helm worker is started again: {}", worker.how());
    listener.replaced(cause == EndCause.HANG ? RestartReason.HANG : RestartReason.CRASH);
  }

  /** Runs on the reader of the worker. */
  private void answered(HelmWorker worker, WorkerResponse response) {
    RestartReason reason;
    synchronized (this) {
      var service = alive.get(worker);
      if (service == null) {
        return; // The answer to the greeting.
      }
      failures = 0;
      service.answers++;
      service.bytes = response.residentBytes();
      var now = nanoTime.getAsLong();
      var age = Duration.ofNanos(now - service.since);
      reason = policy.reason(age, service.answers, response).orElse(null);
      if (reason == null
          || worker != current
          || replacing
          || closed
          || now - notReplacedBefore < 0) {
        return;
      }
      replacing = true;
    }
    var why = reason;
    var _ = Thread.ofVirtual().name("helm worker replace").start(() -> replace(worker, why));
  }

  /** Requests go to the old one until the new one has answered. */
  private void replace(HelmWorker old, RestartReason reason) {
    Lookup outcome = new Lookup.Missing(NOT_STARTED);
    HelmWorker before = null;
    try {
      outcome = accept(starter.start(this::answered));
    } finally {
      synchronized (this) {
        replacing = false;
        if (outcome instanceof Lookup.Found(var fresh)) {
          before = serve(fresh);
        } else {
          notReplacedBefore = nanoTime.getAsLong() + policy.rest().toNanos();
        }
      }
    }
    if (outcome instanceof Lookup.Missing(var why)) {
      log.atWarn().log("the Helm worker serves on, for a fresh one does not start: {}", why);
      return;
    }
    log.atInfo().addKeyValue("reason", reason.value()).log("the Helm worker was replaced");
    listener.replaced(reason);
    old.drain();
    if (before != null && before != old) {
      before.drain();
    }
  }

  /** Ends all workers, within the grace or by force. */
  void close(Duration grace) {
    synchronized (this) {
      closed = true;
    }
    workers().forEach(HelmWorker::stopAll);
    workers().forEach(HelmWorker::close);
    awaitNone(grace);
    workers().forEach(worker -> worker.kill(EndCause.CLOSED));
    awaitNone(grace);
  }

  private void awaitNone(Duration limit) {
    var ends = workers().stream().map(HelmWorker::ended).toArray(CompletableFuture<?>[]::new);
    try {
      CompletableFuture.allOf(ends).get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      log.atInfo().log("{} Helm workers have not ended within {}", processes(), limit);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the end of a worker cannot fail", e);
    }
  }
}
