// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Records the last reported version of each object in one namespace. */
final class Follower implements ChangeListener<HasMetadata> {
  private final Map<String, String> versions = new ConcurrentHashMap<>();
  private final String namespace;

  Follower(String namespace) {
    this.namespace = namespace;
  }

  @Override
  public void changed(@Nullable HasMetadata before, @Nullable HasMetadata after) {
    if (after != null && namespace.equals(after.getMetadata().getNamespace())) {
      versions.put(after.getMetadata().getName(), after.getMetadata().getResourceVersion());
    } else if (before != null && after == null) {
      versions.remove(before.getMetadata().getName());
    }
  }

  Map<String, String> versions() {
    return Map.copyOf(versions);
  }
}
