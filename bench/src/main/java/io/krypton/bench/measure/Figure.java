// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One measured number.
 *
 * @param id names it across runs, with the size it was measured at, e.g. {@code
 *     rollout/1x100/of-helm}
 * @param what for people
 * @param ratio whether it means the same on a fast and on a slow machine; only such figures are
 *     compared with those of other runs
 * @param goal what it should reach, if that was ever promised
 */
public record Figure(
    String id,
    String what,
    double value,
    String unit,
    Better better,
    boolean ratio,
    @Nullable Double goal) {

  /** Which way is good. */
  public enum Better {
    HIGHER,
    LOWER;

    /** Whether the goal is reached. */
    boolean reaches(double value, double goal) {
      return this == HIGHER ? value >= goal : value <= goal;
    }
  }

  public Figure {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("figure %s is no number: %s".formatted(id, value));
    }
  }

  /** Something absolute, true for this machine only. */
  public static Figure of(String id, String what, double value, String unit, Better better) {
    return new Figure(id, what, value, unit, better, false, null);
  }

  /** A quotient of two things measured in the same run, or a count per object. */
  public static Figure ratio(String id, String what, double value, String unit, Better better) {
    return new Figure(id, what, value, unit, better, true, null);
  }

  public Figure withGoal(double wanted) {
    return new Figure(id, what, value, unit, better, ratio, wanted);
  }

  /** Without a goal there is none to miss. */
  public boolean reachesItsGoal() {
    return goal == null || better.reaches(value, goal);
  }

  /** Figures as people read them. */
  public static final class FigureFormat {
    private FigureFormat() {}

    public static String line(Figure figure) {
      return "%s: %s".formatted(figure.what(), valueWithGoal(figure));
    }

    /** Three digits are more than these measurements are worth. */
    public static String value(Figure figure) {
      return (number(figure.value()) + " " + figure.unit()).strip();
    }

    public static String goal(Figure figure) {
      var goal = figure.goal();
      if (goal == null) {
        return "";
      }
      return "%s %s%s"
          .formatted(
              figure.better() == Figure.Better.HIGHER ? "≥" : "≤",
              number(goal),
              figure.reachesItsGoal() ? "" : " (missed)");
    }

    private static String valueWithGoal(Figure figure) {
      var goal = goal(figure);
      return goal.isEmpty() ? value(figure) : "%s (goal %s)".formatted(value(figure), goal);
    }

    static String number(double value) {
      var size = Math.abs(value);
      if (size >= 100 || value == Math.rint(value)) {
        return String.format(Locale.ROOT, "%.0f", value);
      }
      return String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", value);
    }
  }
}
