// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Sums of counters over processes that come and go. What a process counted after it was last read
 * is not known, so all sums are at least what happened.
 */
public final class CounterTally {
  private final Map<String, Double> last = new HashMap<>();
  private final Map<String, Double> sums = new TreeMap<>();

  /**
   * Adds what has been counted since the last reading of this process. A series that is less than
   * before has begun anew.
   *
   * @param process tells one start of an operator from all others
   */
  public synchronized void read(String process, Map<String, Double> series) {
    series.forEach(
        (name, value) -> {
          if (name.contains("_total")) {
            var before = last.put(process + " " + name, value);
            var more = before == null || before > value ? value : value - before;
            sums.merge(name, more, Double::sum);
          }
        });
  }

  /** The sum of all series of a metric whose labels contain all of these texts. */
  public synchronized long sum(String metric, String... labels) {
    return Math.round(
        sums.entrySet().stream()
            .filter(it -> it.getKey().equals(metric) || it.getKey().startsWith(metric + "{"))
            .filter(it -> containsAll(it.getKey(), labels))
            .mapToDouble(Map.Entry::getValue)
            .sum());
  }

  private static boolean containsAll(String text, String... parts) {
    for (var part : parts) {
      if (!text.contains(part)) {
        return false;
      }
    }
    return true;
  }
}
