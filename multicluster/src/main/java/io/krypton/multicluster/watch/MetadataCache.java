package io.krypton.multicluster.watch;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
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
  private final Listeners<PartialObjectMetadata> listeners = new Listeners<>();
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
    this(name, client, selection, indexes, MetadataWatch.LONGEST_SILENCE);
  }

  MetadataCache(
      String name,
      KubernetesClient client,
      MetadataSelection selection,
      Map<String, Function<PartialObjectMetadata, List<String>>> indexes,
      Duration longestSilence) {
    this.store = new IndexedStore<>(indexes);
    this.watch = new MetadataWatch(name, client, selection, new Storing(), longestSilence);
  }

  private final class Storing implements MetadataWatch.Sink {
    @Override
    public MetadataWatch.Pages listing() {
      var all = new ArrayList<PartialObjectMetadata>();
      return new MetadataWatch.Pages() {
        @Override
        public void add(List<PartialObjectMetadata> page) {
          all.addAll(page);
        }

        @Override
        public void complete() {
          store.replace(all, listeners);
        }
      };
    }

    @Override
    public void put(PartialObjectMetadata object) {
      var before = store.put(object);
      if (before.isEmpty() || !IndexedStore.sameVersion(before.get(), object)) {
        listeners.changed(before.orElse(null), object);
      }
    }

    @Override
    public void remove(PartialObjectMetadata object) {
      store.remove(object);
      listeners.changed(object, null);
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
    var subscription = listeners.add(listener);
    list().forEach(object -> listeners.tell(listener, null, object));
    return subscription;
  }
}
