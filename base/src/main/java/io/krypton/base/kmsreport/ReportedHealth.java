// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

/** What a report says about a plugin. Of two lines about the same plugin the later value counts. */
public enum ReportedHealth {
  HEALTHY,
  /** Its entry cannot be read; never written. */
  MALFORMED,
  /** It does not answer. */
  ERROR,
  /** It answers, but not as it should. */
  UNHEALTHY
}
