package io.krypton.base.kmsreport;

/** Where a node reports. A reporter uses one of them. */
public enum ReportPlace {
  CONDITION,
  TYPED_LIST
}
