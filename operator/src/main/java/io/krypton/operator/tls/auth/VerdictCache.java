package io.krypton.operator.tls.auth;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Verdicts by what they are about; the one not asked for longest goes first. */
final class VerdictCache<K, V> {
  private static final int MOST = 4096;

  /**
   * A verdict and its age.
   *
   * @param age when it was asked for
   */
  record Aged<V>(V verdict, Duration age) {}

  private record Stored<V>(V verdict, long at) {}

  private final Map<K, Stored<V>> entries =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<K, Stored<V>> eldest) {
          return size() > MOST;
        }
      };

  synchronized Optional<Aged<V>> get(K key, long nanos) {
    var entry = entries.get(key);
    return entry == null
        ? Optional.empty()
        : Optional.of(new Aged<>(entry.verdict(), Duration.ofNanos(nanos - entry.at())));
  }

  synchronized void put(K key, V verdict, long nanos) {
    entries.put(key, new Stored<>(verdict, nanos));
  }

  synchronized int size() {
    return entries.size();
  }
}
