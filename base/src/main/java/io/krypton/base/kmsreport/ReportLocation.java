// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

/** Where a node reports. A reporter uses one of them. */
public enum ReportLocation {
  CONDITION,
  TYPED_LIST
}
