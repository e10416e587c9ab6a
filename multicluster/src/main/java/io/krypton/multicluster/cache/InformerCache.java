// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.krypton.multicluster.cache.ApiFailure.WatchFailureLog;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import io.krypton.multicluster.cache.ObjectCache.Subscription;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Whole objects, by a fabric8 informer.
 *
 * <p>fabric8 logs each failed attempt with its stack. Set the loggers that DESIGN.md names to
 * {@code ERROR}; this class logs the same failures in one line, and seldom.
 */
public final class InformerCache<T extends HasMetadata> implements ObjectCache<T> {
  /** Paged: one response with everything may exceed a timeout of the server or a proxy. */
  private static final long PAGE = 500;

  private final Informable<T> resources;
  private final Map<String, Function<T, List<String>>> indexes;
  private final Consumer<T> transform;
  private final ChangeListeners<T> changeListeners = new ChangeListeners<>();
  private final CompletableFuture<Void> synced = new CompletableFuture<>();
  private final WatchFailureLog failureLog;
  private volatile SharedIndexInformer<T> informer;

  /**
   * A cache that has yet to be started.
   *
   * @param name of the watch in log lines, e.g. {@code cluster/kind}
   * @param resources what to watch, e.g. {@code client.secrets().inAnyNamespace()}
   */
  public InformerCache(String name, Informable<T> resources) {
    this(name, resources, Map.of());
  }

  /**
   * A cache with a transform, as in client-go.
   *
   * @param transform removes unused fields from an object that has just arrived
   */
  public InformerCache(String name, Informable<T> resources, Consumer<T> transform) {
    this(name, resources, Map.of(), transform);
  }

  public InformerCache(
      String name, Informable<T> resources, Map<String, Function<T, List<String>>> indexes) {
    this(name, resources, indexes, whole -> {});
  }

  private InformerCache(
      String name,
      Informable<T> resources,
      Map<String, Function<T, List<String>>> indexes,
      Consumer<T> transform) {
    this.transform = transform;
    this.failureLog = new WatchFailureLog(name);
    this.resources = resources;
    this.indexes = Map.copyOf(indexes);
    this.informer = newInformer();
  }

  private SharedIndexInformer<T> newInformer() {
    var fresh = resources.withLimit(PAGE).runnableInformer(0);
    fresh.itemStore(new TransformingStore<>(transform));
    if (!indexes.isEmpty()) {
      fresh.addIndexers(indexes);
    }
    // Before the start: the default stops for good if the first list fails.
    fresh.exceptionHandler(
        (_, failure) -> {
          failureLog.failed(failure);
          return true;
        });
    fresh.addEventHandler(new EventForwarder());
    return fresh;
  }

  @Override
  public synchronized void start() {
    run(informer);
  }

  private void run(SharedIndexInformer<T> fresh) {
    var _ =
        fresh
            .start()
            .whenComplete(
                (_, failure) -> {
                  if (failure == null) {
                    synced.complete(null);
                  }
                });
  }

  @Override
  public synchronized void reconnect() {
    if (!informer.isRunning()) {
      return;
    }
    var old = informer;
    // From the current objects, so that readers see no gap and listeners only differences.
    informer = newInformer().initialState(old.getStore().list().stream());
    run(informer);
    old.stop();
  }

  @Override
  public synchronized void close() {
    informer.stop();
    synced.cancel(false);
  }

  @Override
  public Optional<T> get(String namespace, String name) {
    var key = namespace.isEmpty() ? name : Cache.namespaceKeyFunc(namespace, name);
    return Optional.ofNullable(informer.getStore().getByKey(key));
  }

  @Override
  public List<T> list() {
    return informer.getStore().list();
  }

  @Override
  public List<T> byIndex(String index, String value) {
    return informer.getIndexer().byIndex(index, value);
  }

  @Override
  public CompletableFuture<Void> synced() {
    return synced;
  }

  @Override
  public boolean isRunning() {
    return informer.isRunning();
  }

  @Override
  public Optional<ApiFailure> failure() {
    return informer.isWatching() ? Optional.empty() : failureLog.current();
  }

  @Override
  public Subscription subscribe(ChangeListener<? super T> listener) {
    var subscription = changeListeners.add(listener);
    list().forEach(object -> changeListeners.notifyListener(listener, null, object));
    return subscription;
  }

  /** Transforms objects before they are shared. */
  private static final class TransformingStore<V extends HasMetadata> extends BasicItemStore<V> {
    private final Consumer<V> transform;

    TransformingStore(Consumer<V> transform) {
      super(Cache::metaNamespaceKeyFunc);
      this.transform = transform;
    }

    @Override
    public V put(String key, V object) {
      transform.accept(object);
      return super.put(key, object);
    }
  }

  private final class EventForwarder implements ResourceEventHandler<T> {
    @Override
    public void onList(String resourceVersion, boolean remainedEmpty) {
      failureLog.recovered();
    }

    @Override
    public void onAdd(T added) {
      changeListeners.changed(null, added);
    }

    @Override
    public void onUpdate(T before, T after) {
      changeListeners.changed(before, after);
    }

    @Override
    public void onDelete(T deleted, boolean finalStateUnknown) {
      changeListeners.changed(deleted, null);
    }
  }
}
