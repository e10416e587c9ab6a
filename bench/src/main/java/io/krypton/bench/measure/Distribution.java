// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Many measurements of the same thing, sorted. */
public record Distribution(List<Double> values) {
  public Distribution {
    values = values.stream().sorted().toList();
    if (values.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured");
    }
  }

  public static Distribution ofMillis(Collection<Duration> times) {
    return new Distribution(times.stream().map(time -> time.toNanos() / 1e6).toList());
  }

  /** The smallest value that at least this part of all values do not exceed. */
  public double quantile(double part) {
    var rank = (int) Math.ceil(part * values.size());
    return values.get(Math.max(1, rank) - 1);
  }

  public double median() {
    return quantile(0.5);
  }

  public double worst() {
    return values.getLast();
  }
}
