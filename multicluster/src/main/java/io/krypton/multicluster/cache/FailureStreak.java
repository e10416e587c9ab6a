package io.krypton.multicluster.cache;

/**
 * How often in a row the same kind of failure was seen, to log it when it is new and then ever more
 * seldom.
 */
public record FailureStreak(String reason, int count) {
  public static final FailureStreak NONE = new FailureStreak("", 0);

  public FailureStreak next(String seen) {
    return seen.equals(reason) ? new FailureStreak(seen, count + 1) : new FailureStreak(seen, 1);
  }

  /** The 1st, 2nd, 4th, 8th … of its kind. */
  public boolean shouldLog() {
    return Integer.bitCount(count) == 1;
  }
}
