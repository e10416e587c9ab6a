// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** What somebody meant who mistyped one of a few words; pure. */
public final class SpellingSuggestion {
  private SpellingSuggestion() {}

  /** The word that is a few strokes away; empty if none is near enough to be meant. */
  public static Optional<String> nearest(String typed, Collection<String> words) {
    return words.stream()
        .filter(word -> !word.equals(typed) && editDistance(typed, word) <= maxDistance(typed))
        .min(
            Comparator.comparingInt((String word) -> editDistance(typed, word))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** {@code ; did you mean 'status'?}, or nothing. */
  public static String didYouMean(String typed, Collection<String> words) {
    return nearest(typed, words).map("; did you mean '%s'?"::formatted).orElse("");
  }

  private static int maxDistance(String typed) {
    return Math.max(1, Math.min(3, typed.length() / 3));
  }

  /** Letters to add, drop or replace; two that changed places count once. */
  private static int editDistance(String from, String to) {
    var cost = new int[from.length() + 1][to.length() + 1];
    for (var i = 0; i <= from.length(); i++) {
      for (var j = 0; j <= to.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(cost, from, to, i, j);
      }
    }
    return cost[from.length()][to.length()];
  }

  private static int cheapest(int[][] cost, String from, String to, int i, int j) {
    var same = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
    var best =
        Math.min(cost[i - 1][j - 1] + same, Math.min(cost[i - 1][j] + 1, cost[i][j - 1] + 1));
    var swapped =
        i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1);
    return swapped ? Math.min(best, cost[i - 2][j - 2] + 1) : best;
  }
}
