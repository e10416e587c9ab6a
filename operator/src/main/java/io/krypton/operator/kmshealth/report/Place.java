package io.krypton.operator.kmshealth.report;

/** Where a node reports. A reporter uses one of them. */
public enum Place {
  CONDITION,
  TYPED_LIST
}
