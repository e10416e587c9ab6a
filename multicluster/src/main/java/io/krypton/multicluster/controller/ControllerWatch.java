// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.queue.WorkKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which changes in a cache enqueue which keys.
 *
 * @param predicate the changes that matter
 * @param resetPredicate those of them that also reset the back-off of a key, because its cause may
 *     be fixed
 * @param respectsBackoff the others are enqueued after the back-off, because failing reconciles
 *     cause them too
 * @param primary whether the cache holds the reconciled objects themselves
 */
public record ControllerWatch<T extends HasMetadata>(
    ObjectCache<T> cache,
    EnqueueMapper<T> mapper,
    EventPredicate<T> predicate,
    EventPredicate<T> resetPredicate,
    boolean respectsBackoff,
    boolean primary) {

  /**
   * The primary objects: enqueued on all but status changes, back-off reset on a new generation.
   */
  public static <T extends HasMetadata> ControllerWatch<T> of(ObjectCache<T> cache) {
    return new ControllerWatch<>(
        cache,
        EnqueueMapper.itself(),
        EventPredicate.ignoringStatus(),
        EventPredicate.generationChanged(),
        false,
        true);
  }

  /** Secondary objects: each change enqueues, none resets the back-off. */
  public static <T extends HasMetadata> ControllerWatch<T> of(
      ObjectCache<T> cache, EnqueueMapper<T> mapper) {
    return new ControllerWatch<>(
        cache, mapper, EventPredicate.everyChange(), (_, _) -> false, false, false);
  }

  public ControllerWatch<T> withPredicate(EventPredicate<T> filter) {
    return new ControllerWatch<>(cache, mapper, filter, resetPredicate, respectsBackoff, primary);
  }

  /** For objects that the reconciles themselves change: such a change does not end a back-off. */
  public ControllerWatch<T> respectingBackoff() {
    return new ControllerWatch<>(cache, mapper, predicate, resetPredicate, true, primary);
  }

  public ControllerWatch<T> resetBackoffOn(EventPredicate<T> filter) {
    return new ControllerWatch<>(cache, mapper, predicate, filter, respectsBackoff, primary);
  }

  /** The keys of all current objects. */
  Stream<WorkKey> allKeys(String cluster) {
    return cache.list().stream().flatMap(object -> mapper.keysFor(cluster, object).stream());
  }

  /**
   * The keys that a change concerns, before and after: an object may have moved to another owner.
   */
  Set<WorkKey> keysFor(String cluster, @Nullable T before, @Nullable T after) {
    var concerned = new LinkedHashSet<WorkKey>();
    if (before != null) {
      concerned.addAll(mapper.keysFor(cluster, before));
    }
    if (after != null) {
      concerned.addAll(mapper.keysFor(cluster, after));
    }
    return concerned;
  }

  /** Maps an object to the keys to enqueue. */
  @FunctionalInterface
  public interface EnqueueMapper<T> {
    List<WorkKey> keysFor(String cluster, T object);

    /** The object itself. */
    static <T extends HasMetadata> EnqueueMapper<T> itself() {
      return (cluster, object) -> {
        var namespace = object.getMetadata().getNamespace();
        return List.of(
            new WorkKey(
                cluster, namespace == null ? "" : namespace, object.getMetadata().getName()));
      };
    }
  }
}
