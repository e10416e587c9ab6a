package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind on one cluster, kept up to date by a watch that is retried for ever.
 *
 * <p>A failed list or a lost watch changes nothing: readers see the last known objects. Only a
 * successful answer of the server removes one. Objects are shared and must not be changed.
 */
public interface ObjectCache<T extends HasMetadata> extends AutoCloseable {
  /** Begins to list and watch; returns at once, also if the cluster does not answer. */
  void start();

  /** The object, if the cluster has it; the namespace of a cluster-scoped object is empty. */
  Optional<T> get(String namespace, String name);

  List<T> list();

  /** The objects for which the named index yields this value. */
  List<T> byIndex(String index, String value);

  /** Completes when the first list has arrived. */
  CompletableFuture<Void> synced();

  default boolean hasSynced() {
    return synced().isDone() && !synced().isCompletedExceptionally();
  }

  /**
   * Waits for the first list, for the thread that engages a cluster; a shared worker never waits.
   */
  default boolean awaitSync(Duration limit) throws InterruptedException {
    try {
      synced().get(limit.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException | ExecutionException | CancellationException notSynced) {
      return false;
    }
  }

  /** False before the start, after the end, and if the watch gave up, which would be a bug. */
  boolean isRunning();

  /** What keeps the cache from being up to date at present. */
  Optional<ApiFailure> failure();

  /**
   * Reports each change from now on, after all objects that are there already (as added). A
   * listener must be quick and may hear of a change twice.
   */
  Subscription subscribe(ChangeListener<? super T> listener);

  /**
   * Opens a new connection for the watch. For use after an outage: the old connection may be dead
   * without anybody having said so, and would stay silent for minutes.
   */
  void reconnect();

  /** Ends the watch; the objects stay readable. */
  @Override
  void close();

  /** Hears of changes of objects: added without a before, deleted without an after. */
  @FunctionalInterface
  interface ChangeListener<T> {
    void changed(@Nullable T before, @Nullable T after);
  }

  /** Ends the reports of a cache to a listener. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
