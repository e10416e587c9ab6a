// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterStateMachine.LifecycleEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs the engage steps in order, each with its timeout. */
final class EngageStepRunner {
  /** For an interrupted step to end; what it still holds is closed with the cluster. */
  private static final Duration GRACE = Duration.ofMillis(500);

  private final List<EngageStep> steps;
  private final ClusterEventPublisher publisher;

  EngageStepRunner(List<EngageStep> steps, ClusterEventPublisher publisher) {
    this.steps = steps;
    this.publisher = publisher;
  }

  LifecycleEvent run(EngagedCluster engagedCluster) throws InterruptedException {
    for (var step : steps) {
      EngageStep.Result result;
      try {
        result = runWithTimeout(step, engagedCluster);
      } catch (ExecutionException e) {
        return new LifecycleEvent.PreparationFailed(ClusterFailure.of(e));
      } catch (TimeoutException e) {
        return new LifecycleEvent.PreparationFailed(
            new ClusterFailure(
                ClusterFailure.Kind.TIMEOUT,
                "not ready within " + step.timeLimit().toSeconds() + " s"));
      }
      switch (result) {
        case EngageStep.Result.Done done -> {}
        case EngageStep.Result.DoneWithNotice(var reason, var message) ->
            publisher.notice(reason, message);
        case EngageStep.Result.NotYet(var reason, var message) -> {
          publisher.notice(reason, message);
          return new LifecycleEvent.NotPrepared(
              new ClusterFailure(ClusterFailure.Kind.NOT_PREPARED, message));
        }
      }
    }
    return new LifecycleEvent.Prepared();
  }

  private static EngageStep.Result runWithTimeout(EngageStep step, EngagedCluster engagedCluster)
      throws InterruptedException, ExecutionException, TimeoutException {
    var task = new FutureTask<>(() -> step.run(engagedCluster));
    var thread = Thread.ofVirtual().name("cluster-" + engagedCluster.name() + "-step").start(task);
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
