// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a worker writes to its standard error and logs it line by line: what it warns of as a
 * warning, the rest for debugging. A worker that writes without end can neither fill our memory nor
 * our log.
 */
final class WorkerLog {
  static final int LONGEST_LINE = 2000;
  static final int LINES_PER_MINUTE = 120;

  private static final Logger log = LoggerFactory.getLogger(WorkerLog.class);
  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private final LineRedactor redactor;
  private final LongSupplier nanoTime;
  private final byte[] line = new byte[LONGEST_LINE];
  private int length;
  private boolean isCut;
  private long windowStart;
  private int logged;
  private long suppressed;

  /** Takes out what is secret. */
  @FunctionalInterface
  interface LineRedactor {
    /** A line that was cut off may end with half of a secret. */
    String redact(String line, boolean isCut);
  }

  /**
   * @param redactor takes out what is secret
   */
  WorkerLog(LineRedactor redactor, LongSupplier nanoTime) {
    this.redactor = redactor;
    this.nanoTime = nanoTime;
    this.windowStart = nanoTime.getAsLong();
  }

  /** Returns when the stream ends. */
  void drain(InputStream errors) {
    var buffer = new byte[8192];
    try (errors) {
      for (var count = errors.read(buffer); count >= 0; count = errors.read(buffer)) {
        for (var i = 0; i < count; i++) {
          add(buffer[i]);
        }
      }
    } catch (IOException ended) {
      log.debug("the log of the Helm worker is cut off: {}", ended.toString());
    }
    endLine();
  }

  private void add(byte next) {
    if (next == '\n') {
      endLine();
    } else if (length < LONGEST_LINE) {
      line[length++] = next;
    } else {
      isCut = true;
    }
  }

  private void endLine() {
    if (length > 0) {
      var text = new String(line, 0, length, StandardCharsets.UTF_8);
      // Half of a character would hide the half of a secret before it.
      write(isCut ? text.replaceFirst("\uFFFD+$", "") : text);
    }
    length = 0;
    isCut = false;
  }

  private void write(String text) {
    var now = nanoTime.getAsLong();
    if (now - windowStart >= MINUTE) {
      windowStart = now;
      logged = 0;
    }
    var warning = isWarning(text);
    if (!warning && !log.isDebugEnabled()) {
      return;
    }
    if (logged >= LINES_PER_MINUTE) {
      suppressed++;
      return;
    }
    logged++;
    var clean = redactor.redact(text, isCut);
    var event = warning ? log.atWarn() : log.atDebug();
    if (suppressed > 0) {
      event = event.addKeyValue("suppressedLines", suppressed);
      suppressed = 0;
    }
    event.log("Helm worker: {}", clean);
  }

  /** Lines of Go's slog name their level; what has none is the last word of a program that dies. */
  private static boolean isWarning(String text) {
    return !text.contains("level=DEBUG") && !text.contains("level=INFO");
  }
}
