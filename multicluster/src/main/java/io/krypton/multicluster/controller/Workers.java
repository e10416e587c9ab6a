// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
import io.krypton.multicluster.queue.WorkQueue.WorkItem;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * Runs each key from the queue on its own virtual thread, so that an interrupt only hits the
 * reconcile it is meant for. The queue limits concurrency.
 *
 * <p>The permit is checked before each reconcile: a process that was suspended and resumed must not
 * start one before it has noticed that its lease is lost.
 */
final class Workers {
  private final String name;
  private final WorkQueue queue;
  private final BiConsumer<WorkItem, ReconcileRun> work;
  private final Set<ReconcileRun> runs = ConcurrentHashMap.newKeySet();
  private final Thread dispatcher;
  private volatile BooleanSupplier permit = () -> false;

  /**
   * @param work must mark the key as done, whatever happens
   */
  Workers(String name, WorkQueue queue, BiConsumer<WorkItem, ReconcileRun> work) {
    this.name = name;
    this.queue = queue;
    this.work = work;
    this.dispatcher =
        Thread.ofVirtual().name(name + " dispatcher").unstarted(this::dispatchUntilClosed);
  }

  void start() {
    queue.hold();
    dispatcher.start();
  }

  private void dispatchUntilClosed() {
    try {
      for (var next = queue.take(); next.isPresent(); next = queue.take()) {
        var workItem = next.get();
        Thread.ofVirtual().name(name + " " + workItem.key()).start(() -> run(workItem));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(WorkItem workItem) {
    var reconcileRun = new ReconcileRun(workItem.key(), Thread.currentThread());
    // Registered before the check: a concurrent pause is either seen here or sees this run.
    runs.add(reconcileRun);
    try {
      if (permit.getAsBoolean()) {
        work.accept(workItem, reconcileRun);
      } else {
        holdUnlessPermitted();
        queue.putBack(workItem.key());
      }
    } finally {
      runs.remove(reconcileRun);
    }
  }

  /** Without the hold the key would be handed out in a tight loop. */
  private synchronized void holdUnlessPermitted() {
    if (!permit.getAsBoolean()) {
      queue.hold();
    }
  }

  synchronized void resume(BooleanSupplier permit) {
    this.permit = permit;
    queue.release();
  }

  /** Starts no reconcile and interrupts running ones. */
  synchronized void pause() {
    permit = () -> false;
    queue.hold();
    cancel(_ -> true);
  }

  void cancel(Predicate<WorkKey> which) {
    runs.stream()
        .filter(reconcileRun -> which.test(reconcileRun.key()))
        .forEach(ReconcileRun::cancel);
  }

  void markStale(Predicate<WorkKey> which) {
    runs.stream()
        .filter(reconcileRun -> which.test(reconcileRun.key()))
        .forEach(ReconcileRun::markStale);
  }

  List<WorkKey> running() {
    return runs.stream().map(ReconcileRun::key).toList();
  }

  boolean isAlive() {
    return dispatcher.isAlive();
  }

  /** One reconcile on its own thread, which can be cancelled. */
  static final class ReconcileRun {
    private final WorkKey key;
    private final Thread thread;
    private volatile boolean stale;

    ReconcileRun(WorkKey key, Thread thread) {
      this.key = key;
      this.thread = thread;
    }

    WorkKey key() {
      return key;
    }

    void cancel() {
      stale = true;
      thread.interrupt();
    }

    /** Lets it complete, but ignores a failure. */
    void markStale() {
      stale = true;
    }

    boolean isStale() {
      return stale;
    }
  }
}
