// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import io.krypton.multicluster.cache.ObjectCache.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Only the metadata of objects, for kinds whose content is large, secret or of no interest. */
public final class MetadataCache implements ObjectCache<PartialObjectMetadata> {
  private final IndexedStore<PartialObjectMetadata> store;
  private final ChangeListeners<PartialObjectMetadata> changeListeners = new ChangeListeners<>();
  private final MetadataWatch watch;

  /**
   * A cache that has yet to be started.
   *
   * @param name of the watch in log lines, e.g. {@code cluster/kind}
   */
  public MetadataCache(
      String name,
      KubernetesClient client,
      MetadataSelection selection,
      Map<String, Function<PartialObjectMetadata, List<String>>> indexes) {
    this(name, client, selection, indexes, MetadataWatch.IDLE_TIMEOUT);
  }

  MetadataCache(
      String name,
      KubernetesClient client,
      MetadataSelection selection,
      Map<String, Function<PartialObjectMetadata, List<String>>> indexes,
      Duration idleTimeout) {
    this.store = new IndexedStore<>(indexes);
    this.watch = new MetadataWatch(name, client, selection, new StoreSink(), idleTimeout);
  }

  private final class StoreSink implements MetadataWatch.Sink {
    @Override
    public MetadataWatch.Pages beginList() {
      var all = new ArrayList<PartialObjectMetadata>();
      return new MetadataWatch.Pages() {
        @Override
        public void add(List<PartialObjectMetadata> page) {
          all.addAll(page);
        }

        @Override
        public void complete() {
          store.replace(all, changeListeners);
        }
      };
    }

    @Override
    public void put(PartialObjectMetadata object) {
      var before = store.put(object);
      if (before.isEmpty() || !IndexedStore.sameVersion(before.get(), object)) {
        changeListeners.changed(before.orElse(null), object);
      }
    }

    @Override
    public void remove(PartialObjectMetadata object) {
      store.remove(object);
      changeListeners.changed(object, null);
    }
  }

  @Override
  public void start() {
    watch.start();
  }

  @Override
  public void reconnect() {
    watch.reconnect();
  }

  @Override
  public void close() {
    watch.close();
  }

  @Override
  public Optional<PartialObjectMetadata> get(String namespace, String name) {
    return store.get(namespace, name);
  }

  @Override
  public List<PartialObjectMetadata> list() {
    return store.list();
  }

  @Override
  public List<PartialObjectMetadata> byIndex(String index, String value) {
    return store.byIndex(index, value);
  }

  @Override
  public CompletableFuture<Void> synced() {
    return watch.synced();
  }

  @Override
  public boolean isRunning() {
    return watch.isRunning();
  }

  @Override
  public Optional<ApiFailure> failure() {
    return watch.failure();
  }

  @Override
  public Subscription subscribe(ChangeListener<? super PartialObjectMetadata> listener) {
    var subscription = changeListeners.add(listener);
    list().forEach(object -> changeListeners.notifyListener(listener, null, object));
    return subscription;
  }
}
