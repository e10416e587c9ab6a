// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.provider.ClusterProvider.DiscoverySettings;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Secrets of all namespaces of home that carry the discovery label, by their metadata. Followed
 * only from the moment that an object names a Secret of a third namespace, which few ever do.
 */
final class LabelledSecrets implements AutoCloseable {
  private final KubernetesClient home;
  private final String label;
  private final Consumer<SecretRef> changed;
  private @Nullable ObjectCache<PartialObjectMetadata> watch;
  private boolean closed;

  /**
   * Asks nothing of home yet.
   *
   * @param changed hears of each Secret that got or lost the label
   */
  LabelledSecrets(KubernetesClient home, String label, Consumer<SecretRef> changed) {
    this.home = home;
    this.label = label;
    this.changed = changed;
  }

  /** Null if it is not known yet; then {@code changed} is called, or the next call knows. */
  @Nullable Boolean carriesLabel(SecretRef secret) {
    var cache = watch();
    if (cache == null) {
      return null;
    }
    if (!cache.hasSynced()) {
      // Without the right to list, no label is ever seen.
      var isRefused =
          cache.failure().filter(it -> it.code() == HttpURLConnection.HTTP_FORBIDDEN).isPresent();
      return isRefused ? false : null;
    }
    return cache.get(secret.namespace(), secret.name()).isPresent();
  }

  private synchronized @Nullable ObjectCache<PartialObjectMetadata> watch() {
    if (watch == null && !closed) {
      watch = startWatch();
    }
    return watch;
  }

  private ObjectCache<PartialObjectMetadata> startWatch() {
    var selection =
        new MetadataSelection("", "v1", "secrets", "", label + "=" + DiscoverySettings.LABEL_VALUE);
    var cache = new MetadataCache("home/labelled secrets", home, selection, Map.of());
    var _ =
        cache.subscribe(
            (before, after) -> {
              if (before == null || after == null) {
                notifyChanged(before);
                notifyChanged(after);
              }
            });
    cache.start();
    return cache;
  }

  private void notifyChanged(@Nullable PartialObjectMetadata secret) {
    if (secret != null) {
      var metadata = secret.getMetadata();
      changed.accept(new SecretRef(metadata.getNamespace(), metadata.getName()));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (watch != null) {
      watch.close();
    }
  }
}
