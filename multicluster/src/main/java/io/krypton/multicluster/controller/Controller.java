// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.krypton.base.time.Backoff;
import io.krypton.multicluster.controller.Reconciler.ReconcileResult;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
import io.krypton.multicluster.queue.WorkQueue.QueueState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles the objects of any number of clusters, which are attached and detached at run time.
 *
 * <p>A new controller is paused: it watches its clusters but starts no reconcile before {@link
 * #resume}. The caches it is given belong to the caller, who starts and closes them.
 */
public final class Controller implements ReconcileLoop {
  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  /** How long interrupted reconciles may take to end. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private final String name;
  private final WorkQueue queue;
  private final ReconcileRunner runner;
  private final Workers workers;
  private final Map<String, ClusterBinding> bindings = new ConcurrentHashMap<>();

  /** Incremented by each resume and pause, so that a stale resume has no effect. */
  private int terms;

  public Controller(
      String name,
      ConcurrencyLimits limits,
      Backoff backoff,
      Reconciler reconciler,
      ControllerListener listener) {
    this.name = name;
    this.queue =
        new WorkQueue(
            limits, backoff, System::nanoTime, () -> ThreadLocalRandom.current().nextLong());
    this.runner = new ReconcileRunner(name, reconciler, queue, listener);
    this.workers = new Workers(name, queue, runner::run);
    workers.start();
  }

  /** Watches a cluster; its keys are parked until all its caches have synced. */
  public void attach(String cluster, List<ControllerWatch<?>> watches) throws InterruptedException {
    detach(cluster, AFTER_INTERRUPT);
    var binding = new ClusterBinding(cluster, watches, queue);
    bindings.put(cluster, binding);
    binding.open();
  }

  /**
   * Removes a cluster: its keys are dropped, its reconciles interrupted. Returns whether they ended
   * within the limit.
   */
  public boolean detach(String cluster, Duration limit) throws InterruptedException {
    var binding = bindings.remove(cluster);
    if (binding != null) {
      binding.close();
      workers.cancel(key -> key.cluster().equals(cluster));
      runner.forget(cluster);
    }
    return queue.awaitIdle(cluster, limit);
  }

  /**
   * Removes a cluster that is re-engaged at once with other credentials: its keys are dropped, its
   * reconciles may complete. Those of the next {@link #attach} wait for them, key by key.
   */
  public void release(String cluster) {
    var binding = bindings.remove(cluster);
    if (binding != null) {
      binding.close();
      workers.markStale(key -> key.cluster().equals(cluster));
      runner.forget(cluster);
    }
  }

  /** Starts no reconcile for this unreachable cluster; running ones continue. */
  public void park(String cluster) {
    parked(cluster, true);
  }

  /** Ends a {@link #park}; keys in back-off are due at once. */
  public void unpark(String cluster) {
    parked(cluster, false);
  }

  private void parked(String cluster, boolean park) {
    var binding = bindings.get(cluster);
    if (binding != null) {
      binding.park(park);
    }
  }

  /** Enqueues a key. Keys of clusters that are not attached are ignored. */
  public void enqueue(WorkKey key) {
    if (bindings.containsKey(key.cluster())) {
      queue.add(key);
    }
  }

  /** As {@link #enqueue}, but after the key's back-off if it is in one. */
  public void enqueueAfterBackoff(WorkKey key) {
    if (bindings.containsKey(key.cluster())) {
      queue.addAfterBackoff(key);
    }
  }

  /** As {@link #enqueue}, and its next failure counts as the first. */
  public void enqueueAndResetBackoff(WorkKey key) {
    queue.resetBackoff(key);
    enqueue(key);
  }

  @Override
  public void resume(BooleanSupplier permit) {
    int term = nextTerm();
    // Not on the caller's thread, which renews the lease: there may be many objects.
    Thread.ofVirtual()
        .name(name + " resuming")
        .start(
            () -> {
              bindings.values().forEach(ClusterBinding::enqueueAll);
              begin(term, permit);
            });
  }

  private synchronized int nextTerm() {
    return ++terms;
  }

  private synchronized void begin(int term, BooleanSupplier permit) {
    if (term == terms) {
      workers.resume(permit);
    }
  }

  private synchronized void end() {
    terms++;
    workers.pause();
  }

  @Override
  public boolean pause(Duration limit) throws InterruptedException {
    end();
    return idleWithin(limit);
  }

  @Override
  public boolean stop(Duration grace) throws InterruptedException {
    queue.close();
    if (queue.awaitIdle(grace)) {
      return true;
    }
    end();
    return idleWithin(AFTER_INTERRUPT);
  }

  private boolean idleWithin(Duration limit) throws InterruptedException {
    var idle = queue.awaitIdle(limit);
    if (!idle) {
      log.atWarn()
          .addKeyValue("controller", name)
          .addKeyValue("keys", workers.running())
          .log("interrupted reconciles did not end in time");
    }
    return idle;
  }

  @Override
  public QueueState state() {
    return queue.state();
  }

  @Override
  public boolean isAlive() {
    return workers.isAlive();
  }

  /** Called after each reconcile, for metrics, on the worker's thread: must be quick. */
  @FunctionalInterface
  public interface ControllerListener {
    /**
     * A reconcile has ended.
     *
     * @param waited how long the key was ready before
     * @param took how long the reconcile took
     */
    void finished(WorkKey key, ReconcileResult reconcileResult, Duration waited, Duration took);

    static ControllerListener none() {
      return (_, _, _, _) -> {};
    }
  }
}
