// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Owners as writes of this process left them, for as long as the cache may still show them as they
 * were before. The next run often begins before the watch brings back what the last one wrote: it
 * would write the same again, against a version that is no more.
 *
 * <p>Only what one of our own writes has replaced counts as outdated. Whatever else the cache shows
 * is newer, or somebody else's, and counts as it is.
 */
public final class OwnWrites<T extends HasMetadata> {
  private final Map<String, Entry<T>> entries = new ConcurrentHashMap<>();

  /**
   * What is known of one owner.
   *
   * @param outdated the resource versions that came before the latest one
   */
  private record Entry<T>(T latest, Set<String> outdated) {}

  /**
   * The owner as it is, as far as this process knows.
   *
   * @param key unique among all owners of all clusters
   * @param cached as the cache shows it
   */
  public T newest(String key, T cached) {
    var known = entries.get(key);
    if (known != null
        && isSameObject(known.latest(), cached)
        && known.outdated().contains(version(cached))) {
      return known.latest();
    }
    entries.remove(key);
    return cached;
  }

  /** One of our own writes has made this of that. */
  public void replaced(String key, T before, T after) {
    if (version(before).equals(version(after))) {
      return;
    }
    entries.compute(
        key,
        (_, known) -> {
          var outdated = new HashSet<>(known == null ? Set.<String>of() : known.outdated());
          outdated.add(version(before));
          outdated.remove(version(after));
          return new Entry<>(after, Set.copyOf(outdated));
        });
  }

  /** The owner is gone. */
  public void forget(String key) {
    entries.remove(key);
  }

  /** Versions say nothing about an object of the same name elsewhere, or made anew. */
  private static boolean isSameObject(HasMetadata one, HasMetadata other) {
    return Objects.equals(one.getMetadata().getUid(), other.getMetadata().getUid());
  }

  private static String version(HasMetadata object) {
    return String.valueOf(object.getMetadata().getResourceVersion());
  }
}
