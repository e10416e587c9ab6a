package io.krypton.operator.rollout;

/** Knows which objects exist that may own namespaces and releases on a cluster. */
public interface LivingOwners {
  /**
   * Whether the object that a namespace names as its owner exists.
   *
   * @param cluster that holds the namespace
   * @param reference as in {@link Owner#reference}
   */
  boolean lives(String cluster, String reference, String uid);

  /**
   * Whether the object that a release names as its owner exists.
   *
   * @param cluster that holds the release
   */
  boolean lives(String cluster, String uid);
}
