package io.krypton.bench.figure;

import java.util.Locale;

/** Figures as people read them. */
public final class Wording {
  private Wording() {}

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
