package io.krypton.bench;

import java.time.LocalDate;
import java.time.ZoneOffset;

/** Where the figures come from. */
final class Machine {
  private Machine() {}

  static String describe() {
    return "%s, %d processors, %s %s, Java %s"
        .formatted(
            LocalDate.now(ZoneOffset.UTC),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.version());
  }
}
