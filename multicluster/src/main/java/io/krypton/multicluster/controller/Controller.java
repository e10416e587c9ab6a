package io.krypton.multicluster.controller;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.ExponentialBackoff;
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
 * Reconciles the objects of any number of clusters, which come and go while it runs.
 *
 * <p>A new controller is paused: it follows its clusters but begins no run before {@link #resume}.
 * The caches it is given belong to the caller, who starts and closes them.
 */
public final class Controller implements ReconcileLoop {
  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  /** How long interrupted runs have to end. */
  private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(1);

  private final String name;
  private final WorkQueue queue;
  private final ReconcileRunner runner;
  private final Workers workers;
  private final Map<String, ClusterBinding> bindings = new ConcurrentHashMap<>();

  /** Grows with each beginning and end: what was begun before has no effect any more. */
  private int terms;

  public Controller(
      String name,
      ConcurrencyLimits concurrencyLimits,
      ExponentialBackoff exponentialBackoff,
      Reconciler reconciler,
      ControllerListener listener) {
    this.name = name;
    this.queue =
        new WorkQueue(
            concurrencyLimits,
            exponentialBackoff,
            System::nanoTime,
            () -> ThreadLocalRandom.current().nextLong());
    this.runner = new ReconcileRunner(name, reconciler, queue, listener);
    this.workers = new Workers(name, queue, runner::run);
    workers.start();
  }

  /** Follows a cluster; its keys wait until all its caches have synced. Replaces an earlier one. */
  public void attach(String cluster, List<ControllerWatch<?>> watches) throws InterruptedException {
    detach(cluster, AFTER_INTERRUPT);
    var clusterBinding = new ClusterBinding(cluster, watches, queue);
    bindings.put(cluster, clusterBinding);
    clusterBinding.open();
  }

  /**
   * Forgets a cluster: its keys are dropped, its runs interrupted. Returns whether they have ended
   * within the limit.
   */
  public boolean detach(String cluster, Duration limit) throws InterruptedException {
    var clusterBinding = bindings.remove(cluster);
    if (clusterBinding != null) {
      clusterBinding.close();
      workers.cancel(key -> key.cluster().equals(cluster));
      runner.forget(cluster);
    }
    return queue.awaitIdle(cluster, limit);
  }

  /**
   * Forgets a cluster that comes back at once, as another access to the same servers: its keys are
   * dropped, its runs may end what they have begun. Those of the next {@link #attach} wait for
   * them, key by key.
   */
  public void release(String cluster) {
    var clusterBinding = bindings.remove(cluster);
    if (clusterBinding != null) {
      clusterBinding.close();
      workers.markStale(key -> key.cluster().equals(cluster));
      runner.forget(cluster);
    }
  }

  /** Begins no run for this cluster, which does not answer; runs under way go on. */
  public void park(String cluster) {
    parked(cluster, true);
  }

  /** Ends a {@link #park}; keys in back-off are due at once. */
  public void unpark(String cluster) {
    parked(cluster, false);
  }

  private void parked(String cluster, boolean wanted) {
    var clusterBinding = bindings.get(cluster);
    if (clusterBinding != null) {
      clusterBinding.park(wanted);
    }
  }

  /** Wakes a key from outside its watches. Keys of clusters that are not attached are ignored. */
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
    // Not on the caller's thread, which has a lease to renew: there may be many objects.
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
          .log("interrupted runs have not ended in time");
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

  /** Hears of each run, for metrics. Called on the worker's thread: must be quick. */
  @FunctionalInterface
  public interface ControllerListener {
    /**
     * A run has ended.
     *
     * @param waited how long the key was due before the run
     * @param took how long the run lasted
     */
    void finished(WorkKey key, ReconcileResult reconcileResult, Duration waited, Duration took);

    static ControllerListener none() {
      return (_, _, _, _) -> {};
    }
  }
}
