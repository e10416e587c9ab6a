// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.krypton.base.kmsreport.NodeReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The evidence of one node: its report, its Lease, both or neither. */
public record NodeEvidence(@Nullable NodeReport report, @Nullable Heartbeat heartbeat) {
  private static final Duration DEFAULT_THRESHOLD = Duration.ofMinutes(2);
  private static final Duration SHORTEST_THRESHOLD = Duration.ofSeconds(10);
  private static final Duration LONGEST_THRESHOLD = Duration.ofHours(1);
  private static final int INTERVALS = 4;

  public boolean isEmpty() {
    return report == null && heartbeat == null;
  }

  public boolean isPlannedStop() {
    return heartbeat != null && heartbeat.isPlannedStop();
  }

  /** Equal as long as report and Lease do not change. */
  String fingerprint() {
    return (heartbeat == null ? "" : heartbeat.holder() + " " + heartbeat.renewed())
        + "|"
        + (report == null ? "" : report.fingerprint());
  }

  /** The latest time that the node wrote, by its own clock. */
  Optional<Instant> newest() {
    return Stream.of(
            Optional.ofNullable(heartbeat).map(Heartbeat::renewed),
            Optional.ofNullable(report).flatMap(NodeReport::newestCheck))
        .flatMap(Optional::stream)
        .max(Instant::compareTo);
  }

  /** How long the node may be silent: what it announces, within limits. */
  public Duration staleThreshold() {
    var announced =
        Optional.ofNullable(heartbeat)
            .map(Heartbeat::duration)
            .or(
                () ->
                    Optional.ofNullable(report)
                        .flatMap(NodeReport::interval)
                        .map(interval -> interval.multipliedBy(INTERVALS)))
            .orElse(DEFAULT_THRESHOLD);
    if (announced.compareTo(SHORTEST_THRESHOLD) < 0) {
      return SHORTEST_THRESHOLD;
    }
    return announced.compareTo(LONGEST_THRESHOLD) > 0 ? LONGEST_THRESHOLD : announced;
  }

  /**
   * A reporter's Lease.
   *
   * @param holder names the process; empty after a planned stop
   * @param duration how long a renewal is valid, if the Lease names it
   */
  public record Heartbeat(String holder, @Nullable Instant renewed, @Nullable Duration duration) {

    public boolean isPlannedStop() {
      return holder.isEmpty();
    }
  }
}
