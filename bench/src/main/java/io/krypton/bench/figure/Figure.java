package io.krypton.bench.figure;

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
}
