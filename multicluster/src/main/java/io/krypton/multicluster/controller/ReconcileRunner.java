// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.RepeatedFailure;
import io.krypton.multicluster.controller.Controller.ControllerListener;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
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

/** Runs one reconcile with its log context and passes the result to the queue. */
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
      var result = attempt(request);
      if (result instanceof ReconcileResult.Retry && reconcileRun.isStale()) {
        queue.putBack(key);
        return;
      }
      // Reported before the key is done, so that reports of one key never overlap.
      report(workItem, result, Duration.ofNanos(System.nanoTime() - begun));
      end(key, result);
    } finally {
      MDC.clear();
    }
  }

  private ReconcileResult attempt(Request request) {
    try {
      return reconciler.reconcile(request);
    } catch (InterruptedException interrupted) {
      return new ReconcileResult.Retry("Interrupted", "reconcile interrupted", interrupted);
    } catch (KubernetesClientException | IOException exchange) {
      var failure = ApiFailure.of(exchange);
      return new ReconcileResult.Retry(failure.reason(), failure.message(), exchange);
    } catch (Throwable thrown) { // The loop must survive any error.
      return new ReconcileResult.Retry(
          thrown.getClass().getSimpleName(), String.valueOf(thrown.getMessage()), thrown);
    }
  }

  private void end(WorkKey key, ReconcileResult result) {
    switch (result) {
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
        var repeated = failures.count(key, retry);
        failures.logFailure(repeated, retry, queue.retry(key));
      }
    }
  }

  private void report(WorkItem workItem, ReconcileResult result, Duration took) {
    try {
      listener.finished(workItem.key(), result, workItem.waited(), took);
    } catch (RuntimeException bug) {
      log.error("controller listener failed", bug);
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

  /** Logs failures of keys: when the class changes, then sparsely with a count. */
  static final class FailureLog {
    private static final Logger log = LoggerFactory.getLogger(Controller.class);

    private final Map<WorkKey, RepeatedFailure> repeatedFailures = new ConcurrentHashMap<>();

    /** Counts a failure, before the key is done. */
    RepeatedFailure count(WorkKey key, ReconcileResult.Retry failure) {
      var repeated =
          repeatedFailures.getOrDefault(key, RepeatedFailure.NONE).next(failure.reason());
      repeatedFailures.put(key, repeated);
      return repeated;
    }

    void logFailure(RepeatedFailure repeated, ReconcileResult.Retry failure, RetryInfo next) {
      if (!repeated.shouldLog()) {
        return;
      }
      var bug = isBug(failure.cause());
      var line = log.atLevel(bug ? Level.ERROR : Level.WARN);
      if (bug) {
        line = line.setCause(failure.cause());
      }
      line.addKeyValue("reason", failure.reason())
          .addKeyValue("count", repeated.count())
          .addKeyValue("failures", next.failures())
          .addKeyValue("retryInMillis", next.delay().toMillis())
          .log("reconcile failed, requeued with back-off: {}", failure.message());
    }

    void succeeded(WorkKey key) {
      var repeated = repeatedFailures.remove(key);
      if (repeated != null) {
        log.atInfo().addKeyValue("reason", repeated.reason()).log("reconcile recovered");
      }
    }

    void forget(String cluster) {
      repeatedFailures.keySet().removeIf(key -> key.cluster().equals(cluster));
    }

    /** API and network failures are expected; other unchecked exceptions are bugs. */
    private static boolean isBug(@Nullable Throwable cause) {
      return cause instanceof Error
          || (cause instanceof RuntimeException
              && !(cause instanceof KubernetesClientException)
              && !(cause instanceof UncheckedIOException));
    }
  }
}
