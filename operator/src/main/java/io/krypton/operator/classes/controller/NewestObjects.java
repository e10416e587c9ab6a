// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest that is known of each object, from reads, own writes and a cache that may be behind
 * them. A cursor that was written must not be seen as it was before, or a target would go back.
 */
final class NewestObjects<T extends HasMetadata> {
  private final Map<String, T> newest = new ConcurrentHashMap<>();

  /** The newer of the two: what is known, and what the cache shows. */
  T newest(T cached) {
    return newest.merge(nameOf(cached), cached, NewestObjects::newer);
  }

  /** Read or written just now. */
  void seen(T live) {
    var _ = newest(live);
  }

  /** The newest of each. */
  List<T> all() {
    return List.copyOf(newest.values());
  }

  void forget(String name) {
    newest.remove(name);
  }

  void clear() {
    newest.clear();
  }

  private static String nameOf(HasMetadata object) {
    return object.getMetadata().getName();
  }

  private static <T extends HasMetadata> T newer(T known, T other) {
    var isSame = Objects.equals(known.getMetadata().getUid(), other.getMetadata().getUid());
    var knownVersion = version(known);
    var otherVersion = version(other);
    return isSame
            && knownVersion.isPresent()
            && otherVersion.isPresent()
            && knownVersion.getAsLong() > otherVersion.getAsLong()
        ? known
        : other;
  }

  /** Versions of one kind are numbers that grow, as Kubernetes has it since 1.35. */
  private static OptionalLong version(HasMetadata object) {
    try {
      return OptionalLong.of(Long.parseLong(object.getMetadata().getResourceVersion()));
    } catch (NumberFormatException opaque) {
      return OptionalLong.empty();
    }
  }
}
