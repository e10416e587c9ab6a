package io.krypton.multicluster.queue;

/**
 * How many may be at work at once: in all, and for one cluster. What one cluster gets shrinks as
 * soon as others are busy too, and some places are kept for clusters that have none: however slow
 * the busy ones are, the next one can begin.
 */
public record ConcurrencyLimits(int total, int perCluster) {
  public ConcurrencyLimits {
    if (perCluster < 1 || total < perCluster) {
      throw new IllegalArgumentException(
          "limits need 1 <= perCluster <= total: perCluster=%d, total=%d"
              .formatted(perCluster, total));
    }
  }

  /** One cluster alone may have all but those that are kept for others. */
  public static ConcurrencyLimits sharing(int total) {
    return new ConcurrencyLimits(total, Math.max(1, total - kept(total)));
  }

  /** A quarter, unless one cluster may have all. */
  public int reserve() {
    return Math.min(kept(total), total - perCluster);
  }

  private static int kept(int total) {
    return Math.max(1, total / 4);
  }

  /**
   * Whether a cluster may have one more.
   *
   * @param held what it has already
   * @param taken what all have
   * @param busy clusters that have or want some, this one among them
   */
  public boolean allow(int held, int taken, int busy) {
    return allow(held, taken, busy, true);
  }

  /**
   * As the other one.
   *
   * @param fromReserve whether it may have its first one of those that are kept
   */
  boolean allow(int held, int taken, int busy, boolean fromReserve) {
    var free = total - taken;
    if (free <= 0 || held >= perCluster) {
      return false;
    }
    return (held == 0 && fromReserve) || (free > reserve() && held < share(busy));
  }

  private int share(int busy) {
    return Math.ceilDiv(total - reserve(), Math.max(1, busy));
  }
}
