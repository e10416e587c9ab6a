package io.krypton.multicluster.queue;

/** How many keys may be worked on at once: in all, and of one cluster. */
public record Limits(int total, int perCluster) {
  public Limits {
    if (perCluster < 1 || total < perCluster) {
      throw new IllegalArgumentException(
          "limits need 1 <= perCluster <= total: perCluster=%d, total=%d"
              .formatted(perCluster, total));
    }
  }
}
