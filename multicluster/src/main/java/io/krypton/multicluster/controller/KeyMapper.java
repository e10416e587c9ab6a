package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.multicluster.queue.WorkKey;
import java.util.List;

/** Names the keys that a change of an object concerns. */
@FunctionalInterface
public interface KeyMapper<T> {
  List<WorkKey> keysFor(String cluster, T object);

  /** The object itself. */
  static <T extends HasMetadata> KeyMapper<T> itself() {
    return (cluster, object) -> {
      var namespace = object.getMetadata().getNamespace();
      return List.of(
          new WorkKey(cluster, namespace == null ? "" : namespace, object.getMetadata().getName()));
    };
  }
}
