package io.krypton.operator.kmshealth.publish;

/** Who writes a ClusterOperator. */
public enum StatusSyncer {
  /** We do, unless somebody else writes it, as on a real OpenShift. */
  AUTO,
  ALWAYS,
  NEVER
}
