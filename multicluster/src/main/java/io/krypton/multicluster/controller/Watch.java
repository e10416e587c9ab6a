package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.watch.EventFilter;
import io.krypton.multicluster.watch.ObjectCache;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which changes in a cache wake which keys.
 *
 * @param wakes the changes that matter
 * @param freshStart those of them that also end a key's back-off, because its cause may be cured
 * @param patient the others wait for the end of a back-off, because failing runs cause them too
 * @param primary it holds the objects that are reconciled themselves, all of them
 */
public record Watch<T extends HasMetadata>(
    ObjectCache<T> cache,
    KeyMapper<T> keys,
    EventFilter<T> wakes,
    EventFilter<T> freshStart,
    boolean patient,
    boolean primary) {

  /** The objects that are reconciled themselves: woken by all but status, fresh on a new spec. */
  public static <T extends HasMetadata> Watch<T> of(ObjectCache<T> cache) {
    return new Watch<>(
        cache,
        KeyMapper.itself(),
        EventFilter.ignoringStatus(),
        EventFilter.generationChanged(),
        false,
        true);
  }

  /** Other objects that concern those that are reconciled: each change wakes, none is a cure. */
  public static <T extends HasMetadata> Watch<T> of(ObjectCache<T> cache, KeyMapper<T> keys) {
    return new Watch<>(cache, keys, EventFilter.everyChange(), (_, _) -> false, false, false);
  }

  public Watch<T> wakingOn(EventFilter<T> filter) {
    return new Watch<>(cache, keys, filter, freshStart, patient, primary);
  }

  /** For objects that the runs themselves change: such a change does not end a back-off. */
  public Watch<T> patiently() {
    return new Watch<>(cache, keys, wakes, freshStart, true, primary);
  }

  public Watch<T> freshStartOn(EventFilter<T> filter) {
    return new Watch<>(cache, keys, wakes, filter, patient, primary);
  }

  /** The keys of all objects that are there now. */
  Stream<WorkKey> allKeys(String cluster) {
    return cache.list().stream().flatMap(object -> keys.keysFor(cluster, object).stream());
  }

  /**
   * The keys that a change concerns, before and after: an object may have moved to another owner.
   */
  Set<WorkKey> keysFor(String cluster, @Nullable T before, @Nullable T after) {
    var concerned = new LinkedHashSet<WorkKey>();
    if (before != null) {
      concerned.addAll(keys.keysFor(cluster, before));
    }
    if (after != null) {
      concerned.addAll(keys.keysFor(cluster, after));
    }
    return concerned;
  }
}
