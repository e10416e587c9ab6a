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
 * Gives each key that the queue hands out a virtual thread of its own, so that an interrupt can
 * only hit the run it is meant for. The limits are the queue's.
 *
 * <p>A permit is asked before each run, not only told when it ends: a process that was frozen and
 * thawed must not begin a run before somebody has noticed that its time is over.
 */
final class Workers {
  private final String name;
  private final WorkQueue queue;
  private final BiConsumer<WorkItem, ReconcileRun> work;
  private final Set<ReconcileRun> runs = ConcurrentHashMap.newKeySet();
  private final Thread dispatcher;
  private volatile BooleanSupplier permit = () -> false;

  /**
   * @param work must end the key, whatever happens
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
    } catch (InterruptedException nobodyDoesThis) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(WorkItem workItem) {
    var reconcileRun = new ReconcileRun(workItem.key(), Thread.currentThread());
    // First known, then asked: whoever takes the permit away either is seen here or sees the run.
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

  /** Without the hold the key would come back at once, again and again. */
  private synchronized void holdUnlessPermitted() {
    if (!permit.getAsBoolean()) {
      queue.hold();
    }
  }

  synchronized void resume(BooleanSupplier granted) {
    permit = granted;
    queue.release();
  }

  /** Begins no run any more and interrupts those under way. */
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

  /** One reconcile on one thread of its own, which can be told to end. */
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

    /** It may go on to its end, but how it fails is of no interest any more. */
    void markStale() {
      stale = true;
    }

    boolean isStale() {
      return stale;
    }
  }
}
