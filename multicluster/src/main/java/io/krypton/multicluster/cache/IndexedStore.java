// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Objects by namespace and name, and by any number of indexes. */
final class IndexedStore<T extends HasMetadata> {
  private record Name(String namespace, String name) {
    static Name of(HasMetadata object) {
      var namespace = object.getMetadata().getNamespace();
      return new Name(namespace == null ? "" : namespace, object.getMetadata().getName());
    }
  }

  private record IndexEntry(String index, String value) {}

  private final Map<String, Function<T, List<String>>> indexes;
  private final Map<Name, T> objects = new HashMap<>();
  private final Map<IndexEntry, Map<Name, T>> entries = new HashMap<>();

  IndexedStore(Map<String, Function<T, List<String>>> indexes) {
    this.indexes = Map.copyOf(indexes);
  }

  synchronized Optional<T> get(String namespace, String name) {
    return Optional.ofNullable(objects.get(new Name(namespace, name)));
  }

  synchronized List<T> list() {
    return List.copyOf(objects.values());
  }

  synchronized List<T> byIndex(String index, String value) {
    if (!indexes.containsKey(index)) {
      throw new IllegalArgumentException(
          "unknown index '%s', known are %s".formatted(index, indexes.keySet()));
    }
    return List.copyOf(entries.getOrDefault(new IndexEntry(index, value), Map.of()).values());
  }

  /** Stores the object and returns the one it replaces. */
  synchronized Optional<T> put(T object) {
    var name = Name.of(object);
    var before = remove(name);
    objects.put(name, object);
    entriesOf(object)
        .forEach(
            entry -> entries.computeIfAbsent(entry, _ -> new LinkedHashMap<>()).put(name, object));
    return before;
  }

  synchronized Optional<T> remove(T object) {
    return remove(Name.of(object));
  }

  private Optional<T> remove(Name name) {
    var before = Optional.ofNullable(objects.remove(name));
    before.ifPresent(
        object ->
            entriesOf(object)
                .forEach(
                    entry ->
                        entries.computeIfPresent(
                            entry,
                            (_, members) -> {
                              members.remove(name);
                              return members.isEmpty() ? null : members;
                            })));
    return before;
  }

  /** Replaces all objects and reports the differences. */
  void replace(Collection<T> wanted, ChangeListener<T> differences) {
    var kept = new HashSet<Name>();
    for (var object : wanted) {
      kept.add(Name.of(object));
      var before = put(object);
      if (before.isEmpty() || !sameVersion(before.get(), object)) {
        differences.changed(before.orElse(null), object);
      }
    }
    removeAllBut(kept).forEach(gone -> differences.changed(gone, null));
  }

  private synchronized List<T> removeAllBut(Set<Name> kept) {
    var gone = new ArrayList<T>();
    for (var name : List.copyOf(objects.keySet())) {
      if (!kept.contains(name)) {
        remove(name).ifPresent(gone::add);
      }
    }
    return gone;
  }

  static boolean sameVersion(HasMetadata a, HasMetadata b) {
    return Objects.equals(
        a.getMetadata().getResourceVersion(), b.getMetadata().getResourceVersion());
  }

  private List<IndexEntry> entriesOf(T object) {
    var all = new ArrayList<IndexEntry>();
    indexes.forEach(
        (index, values) ->
            values.apply(object).forEach(value -> all.add(new IndexEntry(index, value))));
    return all;
  }
}
