// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Times as Kubernetes stores them: RFC 3339, UTC, whole seconds. */
final class ReportTimes {
  private ReportTimes() {}

  static String format(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** Null if the text is no time. */
  static @Nullable Instant parse(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException unreadable) {
      return null;
    }
  }
}
