// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import io.krypton.operator.release.helm.ChartRenderer;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.worker.WorkerCall.Reply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/** What a worker does with charts alone; no cluster is asked. */
final class WorkerCharts implements ChartTool, ChartRenderer {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String OWNER = "charts";

  private final WorkerSupervisor supervisor;

  WorkerCharts(WorkerSupervisor supervisor) {
    this.supervisor = supervisor;
  }

  @Override
  public Result pull(String reference, String version, RepoAccess access, Path into) {
    return fetched(
        WorkerRequest.pull(reference, version, access, into), () -> new Redactor(access.secrets()));
  }

  @Override
  public Result pack(Path directory, Path into) {
    return fetched(
        WorkerRequest.pack(directory, into), () -> new Redactor(RepoAccess.NONE.secrets()));
  }

  private Result fetched(WorkerRequest request, Supplier<Redactor> redactor) {
    return switch (supervisor.ask(OWNER, request, LIMIT, redactor)) {
      case Reply.Answered(var response) ->
          response.is(WorkerResponse.DONE) && response.archive() != null
              ? new Result.Fetched(Path.of(response.archive()))
              : failed(response, redactor);
      case Reply.Unusable(var reason) -> new Result.Unusable(reason);
      case Reply other -> new Result.Failed(explain(other));
    };
  }

  private static Result failed(WorkerResponse response, Supplier<Redactor> redactor) {
    return response.is(WorkerResponse.NOT_FOUND)
        ? new Result.NotFound()
        : new Result.Failed(response.shownMessage(redactor.get()));
  }

  @Override
  public RenderResult render(Request request) {
    Supplier<Redactor> redactor = () -> new Redactor(request.values().secrets());
    return switch (supervisor.ask(OWNER, WorkerRequest.render(request), LIMIT, redactor)) {
      case Reply.Answered(var response) ->
          response.is(WorkerResponse.DONE) && response.manifest() != null
              ? new RenderResult.Manifest(response.manifest())
              : new RenderResult.Failed(response.shownMessage(redactor.get()));
      case Reply other -> new RenderResult.Failed(explain(other));
    };
  }

  private static String explain(Reply reply) {
    return switch (reply) {
      case Reply.TimedOut late -> "no answer within " + LIMIT.toSeconds() + " s";
      case Reply.WorkerEnded(var how) -> "the helm worker ended meanwhile (%s)".formatted(how);
      case Reply.Unusable(var reason) -> reason;
      case Reply.Stopped stopped -> "stopped";
      case Reply.Answered answered -> "no answer"; // Handled by the callers.
    };
  }
}
