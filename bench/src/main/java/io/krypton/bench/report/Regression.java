// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.report;

import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Compares a run with an earlier one. Only ratios count: an absolute time says more about the
 * machine than about the program.
 *
 * @param compared how many ratios both runs have
 */
public record Regression(int compared, List<Worse> worse) {
  /** More than what a busy machine does to a ratio. */
  static final double TOLERANCE = 0.30;

  public Regression {
    worse = List.copyOf(worse);
  }

  /** A ratio that got worse by more than the tolerance. */
  public record Worse(Figure before, Figure now) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s: %.3f, was %.3f (%s is better)",
          now.id(),
          now.value(),
          before.value(),
          now.better() == Better.HIGHER ? "more" : "less");
    }
  }

  public static Regression between(List<Figure> before, List<Figure> now) {
    Map<String, Figure> known =
        before.stream()
            .filter(Figure::ratio)
            .collect(Collectors.toMap(Figure::id, Function.identity(), (first, last) -> last));
    var pairs =
        now.stream()
            .filter(Figure::ratio)
            .flatMap(
                it ->
                    Optional.ofNullable(known.get(it.id())).map(was -> new Worse(was, it)).stream())
            .toList();
    return new Regression(
        pairs.size(), pairs.stream().filter(it -> isWorse(it.before(), it.now())).toList());
  }

  private static boolean isWorse(Figure before, Figure now) {
    return now.better() == Better.HIGHER
        ? now.value() < before.value() * (1 - TOLERANCE)
        : now.value() > before.value() * (1 + TOLERANCE);
  }

  /** A comparison of nothing proves nothing, so it is no success either. */
  public boolean isPassed() {
    return compared > 0 && worse.isEmpty();
  }
}
