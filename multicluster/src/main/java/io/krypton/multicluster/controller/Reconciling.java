package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.queue.Handout;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
import io.krypton.multicluster.watch.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** One run: calls the reconciler with its log context, and tells the queue how it ended. */
final class Reconciling {
  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final String controller;
  private final Reconciler reconciler;
  private final WorkQueue queue;
  private final ControllerListener listener;
  private final FailureLog failures = new FailureLog();

  Reconciling(
      String controller, Reconciler reconciler, WorkQueue queue, ControllerListener listener) {
    this.controller = controller;
    this.reconciler = reconciler;
    this.queue = queue;
    this.listener = listener;
  }

  void perform(Handout handout, Run run) {
    var key = handout.key();
    var request = new Request(key, handout.failures(), newRunId());
    enterLogContext(request);
    try {
      var begun = System.nanoTime();
      var outcome = attempt(request);
      if (outcome instanceof Outcome.Retry && run.isUnwanted()) {
        queue.putBack(key);
        return;
      }
      // Told before the key is free again, so that reports of one key never overlap.
      report(handout, outcome, Duration.ofNanos(System.nanoTime() - begun));
      end(key, outcome);
    } finally {
      MDC.clear();
    }
  }

  private Outcome attempt(Request request) {
    try {
      return reconciler.reconcile(request);
    } catch (InterruptedException interrupted) {
      return new Outcome.Retry("Interrupted", "the run was interrupted", interrupted);
    } catch (KubernetesClientException | IOException exchange) {
      var failure = ApiFailure.of(exchange);
      return new Outcome.Retry(failure.reason(), failure.message(), exchange);
    } catch (Throwable thrown) { // A loop that ends on an error would be worse than the error.
      return new Outcome.Retry(
          thrown.getClass().getSimpleName(), String.valueOf(thrown.getMessage()), thrown);
    }
  }

  private void end(WorkKey key, Outcome outcome) {
    switch (outcome) {
      case Outcome.Done() -> {
        failures.ended(key);
        queue.done(key);
      }
      case Outcome.RequeueAfter(var pause) -> {
        failures.ended(key);
        queue.requeue(key, pause);
      }
      case Outcome.Postpone(var pause) -> queue.postpone(key, pause);
      case Outcome.Retry retry -> {
        var streak = failures.count(key, retry);
        failures.tell(streak, retry, queue.retry(key));
      }
    }
  }

  private void report(Handout handout, Outcome outcome, Duration took) {
    try {
      listener.finished(handout.key(), outcome, handout.waited(), took);
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
}
