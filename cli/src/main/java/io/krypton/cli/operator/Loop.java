package io.krypton.cli.operator;

import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.queue.QueueState;
import io.krypton.operator.kmshealth.KmsHealthController;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A reconcile loop as leadership, probes and metrics see it. */
interface Loop {
  void resume(BooleanSupplier permit);

  boolean pause(Duration limit) throws InterruptedException;

  boolean stop(Duration grace) throws InterruptedException;

  boolean isAlive();

  QueueState state();

  static Loop of(Controller controller) {
    return new Loop() {
      @Override
      public void resume(BooleanSupplier permit) {
        controller.resume(permit);
      }

      @Override
      public boolean pause(Duration limit) throws InterruptedException {
        return controller.pause(limit);
      }

      @Override
      public boolean stop(Duration grace) throws InterruptedException {
        return controller.stop(grace);
      }

      @Override
      public boolean isAlive() {
        return controller.isAlive();
      }

      @Override
      public QueueState state() {
        return controller.state();
      }
    };
  }

  /** Not its inner controller: what it has seen before a term is void in that term. */
  static Loop of(KmsHealthController health) {
    return new Loop() {
      @Override
      public void resume(BooleanSupplier permit) {
        health.resume(permit);
      }

      @Override
      public boolean pause(Duration limit) throws InterruptedException {
        return health.pause(limit);
      }

      @Override
      public boolean stop(Duration grace) throws InterruptedException {
        return health.stop(grace);
      }

      @Override
      public boolean isAlive() {
        return health.isAlive();
      }

      @Override
      public QueueState state() {
        return health.queue();
      }
    };
  }
}
