// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one node between two reconciles.
 *
 * @param fingerprint of the evidence that was last observed
 * @param changedAt when it was last observed to change; estimated at the first observation
 * @param settlingUntil while no change has been observed: until then the node may show that it
 *     lives, whatever its clock says
 * @param confirmedAt when a read from the server last had nothing newer
 * @param skew how far the node's clock is behind ours, measured at the last change
 */
public record NodeLiveness(
    String fingerprint,
    Duration changedAt,
    @Nullable Duration settlingUntil,
    @Nullable Duration confirmedAt,
    @Nullable Duration skew,
    LeaseHolders holders) {
  private static final Duration TOLERATED_SKEW = Duration.ofSeconds(60);
  private static final Duration MAX_ESTIMATE = Duration.ofDays(2);

  /**
   * After a start no change has been observed yet. The age is estimated once from the times that
   * the node wrote, but no estimate makes a node fresh: a dead node with a fast clock would look
   * alive.
   */
  public static NodeLiveness atStart(NodeEvidence nodeEvidence, ClockReading now) {
    var age =
        nodeEvidence
            .newest()
            .map(time -> bounded(Duration.between(time, now.wall())))
            .orElse(Duration.ZERO);
    var threshold = nodeEvidence.staleThreshold();
    return new NodeLiveness(
        nodeEvidence.fingerprint(),
        now.uptime().minus(age),
        now.uptime().plus(threshold.dividedBy(2)),
        null,
        null,
        holders(LeaseHolders.NONE, nodeEvidence, now));
  }

  /** A node that appears later has changed just now. */
  public static NodeLiveness appeared(NodeEvidence nodeEvidence, ClockReading now) {
    return new NodeLiveness(
        nodeEvidence.fingerprint(),
        now.uptime(),
        null,
        null,
        null,
        holders(LeaseHolders.NONE, nodeEvidence, now));
  }

  public NodeLiveness next(NodeEvidence nodeEvidence, ClockReading now) {
    if (nodeEvidence.fingerprint().equals(fingerprint)) {
      return this;
    }
    return new NodeLiveness(
        nodeEvidence.fingerprint(),
        now.uptime(),
        null,
        null,
        nodeEvidence.newest().map(time -> Duration.between(time, now.wall())).orElse(null),
        holders(holders, nodeEvidence, now));
  }

  /** A read from the server had nothing newer. */
  public NodeLiveness confirmed(ClockReading now) {
    return new NodeLiveness(fingerprint, changedAt, settlingUntil, now.uptime(), skew, holders);
  }

  private static LeaseHolders holders(
      LeaseHolders before, NodeEvidence nodeEvidence, ClockReading now) {
    var heartbeat = nodeEvidence.heartbeat();
    return heartbeat == null ? before : before.with(heartbeat.holder(), now.uptime());
  }

  private static Duration bounded(Duration age) {
    if (age.isNegative()) {
      return Duration.ZERO;
    }
    return age.compareTo(MAX_ESTIMATE) > 0 ? MAX_ESTIMATE : age;
  }

  /**
   * How old the evidence is.
   *
   * @param threshold older than this is stale
   */
  public Freshness freshness(Duration threshold, ClockReading now) {
    if (now.uptime().compareTo(staleAfter(threshold)) > 0) {
      return Freshness.STALE;
    }
    return settlingUntil == null ? Freshness.FRESH : Freshness.SETTLING;
  }

  private Duration staleAfter(Duration threshold) {
    var end = changedAt.plus(threshold);
    return settlingUntil != null && settlingUntil.compareTo(end) > 0 ? settlingUntil : end;
  }

  /** Whether a read from the server confirmed that the node is silent. */
  public boolean isSilenceConfirmed(Duration threshold) {
    return confirmedAt != null && confirmedAt.compareTo(staleAfter(threshold)) > 0;
  }

  /** When the freshness changes if the node stays silent. */
  public Optional<Duration> nextChange(Duration threshold, ClockReading now) {
    return freshness(threshold, now) == Freshness.STALE
        ? Optional.empty()
        : Optional.of(staleAfter(threshold));
  }

  public boolean isSkewed() {
    return skew != null && skew.abs().compareTo(TOLERATED_SKEW) > 0;
  }

  public boolean hasTwoReporters(ClockReading now) {
    return holders.alternate(now.uptime());
  }

  /** How old the evidence of a node is, by the aggregator's clock. */
  public enum Freshness {
    FRESH,
    /** No change observed yet, and its clock may be wrong: it gets time to report. */
    SETTLING,
    STALE
  }

  /**
   * The processes that have held one Lease lately. A restart brings a new one; two that take turns
   * are two reporters with the same node name.
   */
  record LeaseHolders(List<Turn> turns) {
    static final LeaseHolders NONE = new LeaseHolders(List.of());

    private static final Duration WINDOW = Duration.ofMinutes(10);
    private static final int HARMLESS_CHANGES = 3;
    private static final int MOST_TURNS = 16;

    LeaseHolders {
      turns = List.copyOf(turns);
    }

    record Turn(String holder, Duration since) {}

    LeaseHolders with(String holder, Duration now) {
      if (holder.isEmpty() || (!turns.isEmpty() && turns.getLast().holder().equals(holder))) {
        return this;
      }
      var next = new ArrayList<>(turns);
      next.add(new Turn(holder, now));
      return new LeaseHolders(next.subList(Math.max(0, next.size() - MOST_TURNS), next.size()));
    }

    boolean alternate(Duration now) {
      var recent =
          turns.stream()
              .skip(1)
              .filter(turn -> now.minus(turn.since()).compareTo(WINDOW) <= 0)
              .toList();
      return recent.size() > HARMLESS_CHANGES
          && recent.stream().map(Turn::holder).distinct().count() == 2;
    }
  }
}
