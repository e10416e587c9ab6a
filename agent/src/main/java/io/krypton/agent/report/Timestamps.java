package io.krypton.agent.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Times as Kubernetes stores them in conditions: UTC, whole seconds. */
final class Timestamps {
  private Timestamps() {}

  static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
