// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

/** What the API server of a node uses a plugin for, as far as its reporter knows. */
public enum ReportedRole {
  /** It encrypts. */
  WRITE,
  /** It only decrypts. */
  READ
}
