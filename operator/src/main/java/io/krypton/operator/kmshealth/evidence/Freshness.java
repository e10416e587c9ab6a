package io.krypton.operator.kmshealth.evidence;

/** How old what a node says is, by the aggregator's clock. */
public enum Freshness {
  FRESH,
  /** Old at first sight, but the node's clock may be wrong: it gets time to show that it lives. */
  SETTLING,
  STALE
}
