package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.FailureStreak;
import io.krypton.multicluster.controller.Controller.ControllerListener;
import io.krypton.multicluster.controller.Reconciler.Request;
import io.krypton.multicluster.controller.Workers.ReconcileRun;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
import io.krypton.multicluster.queue.WorkQueue.RetryInfo;
import io.krypton.multicluster.queue.WorkQueue.WorkItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/** One run: calls the reconciler with its log context, and tells the queue how it ended. */
final class ReconcileRunner {
  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final String controller;
  private final Reconciler reconciler;
  private final WorkQueue queue;
  private final ControllerListener listener;
  private final FailureLog failures = new FailureLog();

  ReconcileRunner(
      String controller, Reconciler reconciler, WorkQueue queue, ControllerListener listener) {
    this.controller = controller;
    this.reconciler = reconciler;
    this.queue = queue;
    this.listener = listener;
  }

  void run(WorkItem workItem, ReconcileRun reconcileRun) {
    var key = workItem.key();
    var request = new Request(key, workItem.failures(), newRunId());
    enterLogContext(request);
    try {
      var begun = System.nanoTime();
      var reconcileResult = attempt(request);
      if (reconcileResult instanceof ReconcileResult.Retry && reconcileRun.isStale()) {
        queue.putBack(key);
        return;
      }
      // Told before the key is free again, so that reports of one key never overlap.
      report(workItem, reconcileResult, Duration.ofNanos(System.nanoTime() - begun));
      end(key, reconcileResult);
    } finally {
      MDC.clear();
    }
  }

  private ReconcileResult attempt(Request request) {
    try {
      return reconciler.reconcile(request);
    } catch (InterruptedException interrupted) {
      return new ReconcileResult.Retry("Interrupted", "the run was interrupted", interrupted);
    } catch (KubernetesClientException | IOException exchange) {
      var failure = ApiFailure.of(exchange);
      return new ReconcileResult.Retry(failure.reason(), failure.message(), exchange);
    } catch (Throwable thrown) { // A loop that ends on an error would be worse than the error.
      return new ReconcileResult.Retry(
          thrown.getClass().getSimpleName(), String.valueOf(thrown.getMessage()), thrown);
    }
  }

  private void end(WorkKey key, ReconcileResult reconcileResult) {
    switch (reconcileResult) {
      case ReconcileResult.Done() -> {
        failures.succeeded(key);
        queue.done(key);
      }
      case ReconcileResult.RequeueAfter(var pause) -> {
        failures.succeeded(key);
        queue.requeue(key, pause);
      }
      case ReconcileResult.Postpone(var pause) -> queue.postpone(key, pause);
      case ReconcileResult.Retry retry -> {
        var failureStreak = failures.count(key, retry);
        failures.logFailure(failureStreak, retry, queue.retry(key));
      }
    }
  }

  private void report(WorkItem workItem, ReconcileResult reconcileResult, Duration took) {
    try {
      listener.finished(workItem.key(), reconcileResult, workItem.waited(), took);
    } catch (RuntimeException bug) {
      log.error("a controller listener failed", bug);
    }
  }

  void forget(String cluster) {
    failures.forget(cluster);
  }

  private void enterLogContext(Request request) {
    MDC.put("controller", controller);
    MDC.put("cluster", request.key().cluster());
    MDC.put("namespace", request.key().namespace());
    MDC.put("name", request.key().name());
    MDC.put("run", request.run());
  }

  private static String newRunId() {
    return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
  }

  /** Logs failures of keys: each when its class is new, then ever more seldom with a count. */
  static final class FailureLog {
    private static final Logger log = LoggerFactory.getLogger(Controller.class);

    private final Map<WorkKey, FailureStreak> streaks = new ConcurrentHashMap<>();

    /** Counts a failure, while the key is not free for the next run yet. */
    FailureStreak count(WorkKey key, ReconcileResult.Retry failure) {
      var failureStreak = streaks.getOrDefault(key, FailureStreak.NONE).next(failure.reason());
      streaks.put(key, failureStreak);
      return failureStreak;
    }

    void logFailure(FailureStreak failureStreak, ReconcileResult.Retry failure, RetryInfo next) {
      if (!failureStreak.shouldLog()) {
        return;
      }
      var bug = isBug(failure.cause());
      var line = log.atLevel(bug ? Level.ERROR : Level.WARN);
      if (bug) {
        line = line.setCause(failure.cause());
      }
      line.addKeyValue("reason", failure.reason())
          .addKeyValue("count", failureStreak.count())
          .addKeyValue("failures", next.failures())
          .addKeyValue("retryInMillis", next.delay().toMillis())
          .log("reconcile failed, it will be tried again: {}", failure.message());
    }

    void succeeded(WorkKey key) {
      var failureStreak = streaks.remove(key);
      if (failureStreak != null) {
        log.atInfo().addKeyValue("reason", failureStreak.reason()).log("reconcile succeeds again");
      }
    }

    void forget(String cluster) {
      streaks.keySet().removeIf(key -> key.cluster().equals(cluster));
    }

    /**
     * What a cluster or a network may do to us is expected; other unchecked exceptions are ours.
     */
    private static boolean isBug(@Nullable Throwable cause) {
      return cause instanceof Error
          || (cause instanceof RuntimeException
              && !(cause instanceof KubernetesClientException)
              && !(cause instanceof UncheckedIOException));
    }
  }
}
