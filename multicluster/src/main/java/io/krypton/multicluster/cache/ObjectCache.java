// SPDX-License-Identifier: Apache-2.0
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
 * The objects of one kind on one cluster, kept up to date by a list and watch that is retried for
 * ever.
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

  /** False before the start, after the end, and if the watch has ended, which would be a bug. */
  boolean isRunning();

  /** Why the cache is stale, if it is. */
  Optional<ApiFailure> failure();

  /**
   * Reports all current objects as added, then each change. A listener must be quick and may
   * receive a change twice.
   */
  Subscription subscribe(ChangeListener<? super T> listener);

  /**
   * Restarts the watch on a new connection. For use after an outage: the old connection may be dead
   * and would hang for minutes.
   */
  void reconnect();

  /** Ends the watch; the objects stay readable. */
  @Override
  void close();

  /**
   * Receives changes: {@code before} is null for an added object, {@code after} for a deleted one.
   */
  @FunctionalInterface
  interface ChangeListener<T> {
    void changed(@Nullable T before, @Nullable T after);
  }

  /** A subscribed listener; closing it unsubscribes. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
