package io.krypton.operator.kmshealth.evidence;

/** How old what a node says is, by the aggregator's clock. */
public enum Freshness {
  FRESH,
  /** Not seen to change yet, and its clock may be wrong: it gets time to show that it lives. */
  SETTLING,
  STALE
}
