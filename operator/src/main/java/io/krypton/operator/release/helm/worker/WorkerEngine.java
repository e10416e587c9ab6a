// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmEngine;
import io.krypton.operator.release.helm.HelmMessage;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.process.HelmFiles;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Runs all operations in one long-lived process of its own, {@code krypton-helm}. */
public final class WorkerEngine implements HelmEngine {
  /** As flags call it. */
  public static final String NAME = "worker";

  private final HelmSettings settings;
  private final HelmFiles files;
  private final WorkerSupervisor supervisor;
  private final AtomicInteger running = new AtomicInteger();

  /**
   * An engine that has started nothing yet.
   *
   * @param files are not closed with it
   */
  public WorkerEngine(HelmSettings settings, HelmFiles files, WorkerListener listener) {
    this(
        settings,
        files,
        new WorkerSupervisor(
            new WorkerStarter(new WorkerProgram(settings, files), settings.worker().megabytes()),
            RecyclePolicy.standard(settings.worker().megabytes()),
            listener,
            System::nanoTime));
  }

  WorkerEngine(HelmSettings settings, HelmFiles files, WorkerSupervisor supervisor) {
    this.settings = settings;
    this.files = files;
    this.supervisor = supervisor;
  }

  @Override
  public ConcurrencyLimits limits() {
    return settings.worker().operations();
  }

  @Override
  public ChartTool charts() {
    return new WorkerCharts(supervisor);
  }

  @Override
  public ChartRenderer renderer() {
    return new WorkerCharts(supervisor);
  }

  @Override
  public Readiness check() throws InterruptedException {
    return supervisor.check();
  }

  @Override
  public Optional<String> problem() {
    return supervisor.problem();
  }

  @Override
  public EngineStatus status() {
    return new EngineStatus(
        NAME, "", supervisor.version(), supervisor.processes(), supervisor.bytes());
  }

  @Override
  public String instance() {
    return files.instance();
  }

  @Override
  public boolean hasEnded(String instance) {
    return files.hasEnded(instance);
  }

  @Override
  public void stop(String cluster) {
    supervisor.stop(cluster);
  }

  @Override
  public void forget(String cluster) {
    supervisor.forget(cluster);
  }

  @Override
  public void close() {
    if (running.get() > 0) {
      files.rememberThisRun(); // Whoever waits for those may hear of their end too late.
    }
    supervisor.close(settings.closeGrace());
  }

  @Override
  public HelmResult run(HelmOperation operation) {
    var target = operation.target();
    var cluster = target.release().cluster();
    var credentials = target.kubeconfig().get();
    var request = WorkerRequest.of(operation, credentials, settings.historyMax());
    var limit = target.timeout().plus(settings.timeoutGrace());
    Supplier<Redactor> redactor = () -> HelmMessage.redactor(operation, credentials);
    running.incrementAndGet();
    try {
      var reply = supervisor.ask(cluster, request, limit, redactor);
      if (mayHoldLock(reply)) {
        files.rememberThisRun();
      }
      return result(reply, limit, redactor);
    } finally {
      running.decrementAndGet();
    }
  }

  /** Whether the release may be left pending, which this run heals unless it ends before. */
  private static boolean mayHoldLock(Reply reply) {
    return switch (reply) {
      case Reply.Answered(var response) -> response.is(WorkerResponse.CANCELLED);
      case Reply.TimedOut(var last) -> mayHoldLock(last);
      case Reply.WorkerEnded ended -> true;
      case Reply.Stopped stopped -> true;
      case Reply.Unusable unusable -> false;
    };
  }

  private static HelmResult result(Reply reply, Duration limit, Supplier<Redactor> redactor) {
    return switch (reply) {
      case Reply.Answered(var response) -> result(response, redactor);
      case Reply.WorkerEnded(var how) -> new HelmResult.Failed(ended(how));
      case Reply.TimedOut(Reply.Answered(var response)) when response.is(WorkerResponse.DONE) ->
          result(response, redactor);
      case Reply.TimedOut(Reply.Answered(var response)) ->
          new HelmResult.TimedOut(
              limit,
              response.is(WorkerResponse.CANCELLED)
                  ? "the operation was cancelled"
                  : response.shownMessage(redactor.get()));
      case Reply.TimedOut(Reply.WorkerEnded(var how)) -> new HelmResult.TimedOut(limit, ended(how));
      case Reply.TimedOut late -> new HelmResult.TimedOut(limit, "the operation was cancelled");
      case Reply.Stopped stopped -> new HelmResult.Stopped();
      case Reply.Unusable(var reason) -> new HelmResult.Unusable(reason);
    };
  }

  private static String ended(String how) {
    return "the helm worker ended while it worked on this release (%s); the release is unlocked and tried again"
        .formatted(how);
  }

  private static HelmResult result(WorkerResponse response, Supplier<Redactor> redactor) {
    if (response.is(WorkerResponse.DONE)) {
      return new HelmResult.Done(response.applied());
    }
    var message = response.shownMessage(redactor.get());
    return switch (response.status()) {
      case WorkerResponse.UNREACHABLE -> new HelmResult.Unreachable(message);
      case WorkerResponse.CANCELLED ->
          new HelmResult.Failed(
              "the helm worker cancelled the operation by itself; it is tried again");
      default ->
          new HelmResult.Failed(message.isEmpty() ? "helm failed and said nothing" : message);
    };
  }
}
