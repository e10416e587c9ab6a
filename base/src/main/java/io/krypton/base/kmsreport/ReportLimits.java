// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

/** What writer and reader of reports have agreed on. */
public final class ReportLimits {
  /** Plugins in the report of one node; a reader calls a report with more of them malformed. */
  public static final int MAX_PLUGINS = 64;

  /** Digits of a key id. */
  public static final int MAX_KEY_ID_DIGITS = 512;

  /** UTF-8 bytes of a remote key id, the limit of KMS v2. */
  public static final int MAX_REMOTE_KEY_ID = 1024;

  /** Unreadable keys of one plugin that a reader takes. */
  public static final int MAX_UNREADABLE_KEYS = 16;

  /** Unreadable keys that the schema of a typed entry allows. */
  static final int MAX_TYPED_UNREADABLE_KEYS = 4;

  /** Characters that a writer puts into the message of a condition; the API allows 32,768. */
  static final int MAX_WRITTEN_MESSAGE = 32_000;

  /** Characters of a message that a reader looks at. */
  static final int MAX_READ_MESSAGE = 64 * 1024;

  /** Characters of a detail where not all details fit. */
  static final int SHORT_DETAIL = 64;

  private ReportLimits() {}
}
