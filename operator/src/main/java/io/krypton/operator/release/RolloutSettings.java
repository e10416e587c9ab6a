package io.krypton.operator.release;

import java.time.Duration;

/**
 * How releases are rolled out.
 *
 * @param instance random id of this process, a label of the releases it makes
 * @param rollbackAfterFailures go back to the last good revision when an upgrade keeps failing
 * @param adoptAnyNamespace use namespaces that others made even if nobody allowed it
 */
public record RolloutSettings(
    String instance,
    Duration helmTimeout,
    Duration uninstallTimeout,
    Duration readyTimeout,
    DriftMode drift,
    boolean rollbackAfterFailures,
    boolean adoptAnyNamespace) {

  /** What is done about objects that others changed. */
  public enum DriftMode {
    REPAIR,
    WARN,
    IGNORE
  }
}
