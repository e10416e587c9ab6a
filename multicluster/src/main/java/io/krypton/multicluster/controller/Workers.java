package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.Handout;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
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
  private final BiConsumer<Handout, Run> work;
  private final Set<Run> runs = ConcurrentHashMap.newKeySet();
  private final Thread dispatcher;
  private volatile BooleanSupplier permit = () -> false;

  /**
   * @param work must end the key, whatever happens
   */
  Workers(String name, WorkQueue queue, BiConsumer<Handout, Run> work) {
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
        var handout = next.get();
        Thread.ofVirtual().name(name + " " + handout.key()).start(() -> run(handout));
      }
    } catch (InterruptedException nobodyDoesThis) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(Handout handout) {
    var run = new Run(handout.key(), Thread.currentThread());
    // First known, then asked: whoever takes the permit away either is seen here or sees the run.
    runs.add(run);
    try {
      if (permit.getAsBoolean()) {
        work.accept(handout, run);
      } else {
        holdUnlessPermitted();
        queue.putBack(handout.key());
      }
    } finally {
      runs.remove(run);
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
    runs.stream().filter(run -> which.test(run.key())).forEach(Run::cancel);
  }

  void disown(Predicate<WorkKey> which) {
    runs.stream().filter(run -> which.test(run.key())).forEach(Run::disown);
  }

  List<WorkKey> running() {
    return runs.stream().map(Run::key).toList();
  }

  boolean isAlive() {
    return dispatcher.isAlive();
  }
}
