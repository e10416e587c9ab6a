package io.krypton.multicluster.cluster.crd;

/** What may be done to definitions on a cluster. */
public enum CrdPolicy {
  /** Nothing is written. */
  SKIP,
  /** Absent ones are created and ours upgraded; those of others are left alone. */
  CREATE,
  /** Those of others are replaced, too. */
  CREATE_REPLACE
}
