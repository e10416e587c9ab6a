// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.worker.HelmWorker.EndCause;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import io.krypton.operator.release.helm.worker.WorkerProcess.UnusableWorkerException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Starts workers and makes sure that they speak our protocol and are Helm 4. */
final class WorkerStarter {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private final WorkerProcess.Launcher launcher;
  private final int megabytes;

  /**
   * @param megabytes what a worker may have before it collects its garbage
   */
  WorkerStarter(WorkerProcess.Launcher launcher, int megabytes) {
    this.launcher = launcher;
    this.megabytes = megabytes;
  }

  /** How a start went. */
  sealed interface StartResult {
    record Started(HelmWorker worker, WorkerResponse greeting) implements StartResult {}

    /** The reason is for users, with a remedy. */
    record Refused(String reason) implements StartResult {}
  }

  /** What keeps one from being started, as far as a look at the file tells. */
  Optional<String> problem() {
    return launcher.problem();
  }

  /** {@code onAnswer} hears each answer of the worker before the one who waits for it. */
  StartResult start(BiConsumer<HelmWorker, WorkerResponse> onAnswer) {
    HelmWorker worker;
    try {
      worker = new HelmWorker(launcher.launch(), onAnswer);
    } catch (UnusableWorkerException e) {
      return new StartResult.Refused(String.valueOf(e.getMessage()));
    }
    worker.start();
    return switch (greet(worker)) {
      case Reply.Answered(var response) -> judge(worker, response);
      case Reply.WorkerEnded(var how) -> refuse(worker, how);
      case Reply.TimedOut late ->
          refuse(worker, "no answer within %d s".formatted(LIMIT.toSeconds()));
      case Reply.Stopped stopped -> refuse(worker, "stopped");
      case Reply.Unusable(var reason) -> refuse(worker, reason);
    };
  }

  private Reply greet(HelmWorker worker) {
    try {
      var greeting = WorkerRequest.hello(megabytes);
      var call = worker.request("", greeting, () -> new Redactor(List.of()));
      return call.isPresent() ? call.get().await(LIMIT) : new Reply.WorkerEnded(worker.how());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Stopped();
    }
  }

  private static StartResult judge(HelmWorker worker, WorkerResponse response) {
    if (!response.is(WorkerResponse.DONE)) {
      return refuse(worker, "it refuses: " + response.message());
    }
    if (response.protocol() != WorkerRequest.PROTOCOL || !response.helm().startsWith("v4.")) {
      return refuse(
          worker,
          "it speaks protocol %d and is Helm '%s', not %d and Helm 4"
              .formatted(response.protocol(), response.helm(), WorkerRequest.PROTOCOL));
    }
    return new StartResult.Started(worker, response);
  }

  private static StartResult refuse(HelmWorker worker, String why) {
    worker.kill(EndCause.CLOSED);
    return new StartResult.Refused("the helm worker cannot be used: " + why + WorkerProgram.REMEDY);
  }
}
