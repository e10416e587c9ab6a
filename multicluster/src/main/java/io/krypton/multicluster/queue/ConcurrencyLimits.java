// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

/**
 * The maximum concurrency: total, and per cluster. The share of a cluster shrinks when others are
 * busy too, and a reserve is kept for clusters that have nothing running: however slow the busy
 * ones are, the next one can start.
 */
public record ConcurrencyLimits(int total, int perCluster) {
  public ConcurrencyLimits {
    if (perCluster < 1 || total < perCluster) {
      throw new IllegalArgumentException(
          "limits need 1 <= perCluster <= total: perCluster=%d, total=%d"
              .formatted(perCluster, total));
    }
  }

  /** A single cluster may use all but the reserve. */
  public static ConcurrencyLimits sharing(int total) {
    return new ConcurrencyLimits(total, Math.max(1, total - reserveOf(total)));
  }

  /** A quarter, unless one cluster may have all. */
  public int reserve() {
    return Math.min(reserveOf(total), total - perCluster);
  }

  private static int reserveOf(int total) {
    return Math.max(1, total / 4);
  }

  /**
   * Whether a cluster may start one more.
   *
   * @param held running on this cluster
   * @param inUse running on all clusters
   * @param busy clusters with running or waiting work, including this one
   */
  public boolean allow(int held, int inUse, int busy) {
    return allow(held, inUse, busy, true);
  }

  /**
   * The same.
   *
   * @param fromReserve whether its first one may come from the reserve
   */
  boolean allow(int held, int inUse, int busy, boolean fromReserve) {
    var free = total - inUse;
    if (free <= 0 || held >= perCluster) {
      return false;
    }
    return (held == 0 && fromReserve) || (free > reserve() && held < share(busy));
  }

  private int share(int busy) {
    return Math.ceilDiv(total - reserve(), Math.max(1, busy));
  }
}
