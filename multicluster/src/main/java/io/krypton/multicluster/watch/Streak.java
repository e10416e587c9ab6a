package io.krypton.multicluster.watch;

/**
 * How often in a row the same kind of failure was seen, to log it when it is new and then ever more
 * seldom.
 */
public record Streak(String reason, int count) {
  public static final Streak NONE = new Streak("", 0);

  public Streak next(String seen) {
    return seen.equals(reason) ? new Streak(seen, count + 1) : new Streak(seen, 1);
  }

  /** The 1st, 2nd, 4th, 8th … of its kind. */
  public boolean isWorthALine() {
    return Integer.bitCount(count) == 1;
  }
}
