// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Verdicts by what they are about; the one not asked for longest goes first. Those that let
 * somebody in have room of their own: no number of others displaces them.
 */
final class VerdictCache<K, V> {
  private static final int MOST = 4096;

  /**
   * A verdict and its age.
   *
   * @param age when it was asked for
   * @param trusted whether it has let somebody in
   */
  record Aged<V>(V verdict, Duration age, boolean trusted) {}

  private record Stored<V>(V verdict, long at) {}

  private final Map<K, Stored<V>> trusted = bounded();
  private final Map<K, Stored<V>> others = bounded();

  private static <K, V> Map<K, V> bounded() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > MOST;
      }
    };
  }

  synchronized Optional<Aged<V>> get(K key, long nanos) {
    var entry = trusted.get(key);
    var isTrusted = entry != null;
    if (entry == null) {
      entry = others.get(key);
    }
    return entry == null
        ? Optional.empty()
        : Optional.of(new Aged<>(entry.verdict(), Duration.ofNanos(nanos - entry.at()), isTrusted));
  }

  synchronized void put(K key, V verdict, long nanos) {
    (trusted.containsKey(key) ? trusted : others).put(key, new Stored<>(verdict, nanos));
  }

  /** What has just let somebody in. */
  synchronized void trust(K key) {
    move(key, others, trusted);
  }

  /** What has just refused somebody. */
  synchronized void distrust(K key) {
    move(key, trusted, others);
  }

  private void move(K key, Map<K, Stored<V>> from, Map<K, Stored<V>> to) {
    var entry = from.remove(key);
    if (entry != null) {
      to.put(key, entry);
    }
  }

  synchronized int size() {
    return trusted.size() + others.size();
  }
}
