package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.Failure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the steps of an engagement, one after the other, each within its time. */
final class Preparation {
  /** For a step that was told to stop; what it still holds is closed with the cluster. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final List<EngageStep> steps;
  private final Announcer announcer;

  Preparation(List<EngageStep> steps, Announcer announcer) {
    this.steps = steps;
    this.announcer = announcer;
  }

  Signal run(Cluster cluster) throws InterruptedException {
    for (var step : steps) {
      EngageStep.Result result;
      try {
        result = bounded(step, cluster);
      } catch (ExecutionException e) {
        return new Signal.PreparationFailed(Failure.of(e));
      } catch (TimeoutException e) {
        return new Signal.PreparationFailed(
            new Failure(
                Failure.Kind.TIMEOUT, "not ready within " + step.timeLimit().toSeconds() + " s"));
      }
      switch (result) {
        case EngageStep.Result.Done done -> {}
        case EngageStep.Result.DoneWithNotice(var reason, var message) ->
            announcer.notice(reason, message);
        case EngageStep.Result.NotYet(var reason, var message) -> {
          announcer.notice(reason, message);
          return new Signal.NotPrepared(new Failure(Failure.Kind.NOT_PREPARED, message));
        }
      }
    }
    return new Signal.Prepared();
  }

  private static EngageStep.Result bounded(EngageStep step, Cluster cluster)
      throws InterruptedException, ExecutionException, TimeoutException {
    var task = new FutureTask<>(() -> step.run(cluster));
    var thread = Thread.ofVirtual().name("cluster-" + cluster.name() + "-step").start(task);
    try {
      return task.get(step.timeLimit().toMillis(), TimeUnit.MILLISECONDS);
    } finally {
      end(thread);
    }
  }

  private static void end(Thread thread) throws InterruptedException {
    if (thread.isAlive()) {
      thread.interrupt();
      boolean interrupted = Thread.interrupted();
      thread.join(GRACE);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
