package io.krypton.operator.kmshealth.evidence;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator remembers of one node.
 *
 * @param trace of the evidence that was seen last
 * @param changedAt when it was last seen to change; guessed at first sight
 * @param settlingUntil if the guess says that the node is silent, it gets until then
 * @param skew how far the node's clock is behind ours, measured at the last change
 */
public record NodeTrack(
    String trace,
    Duration changedAt,
    @Nullable Duration settlingUntil,
    @Nullable Duration skew,
    Holders holders) {
  private static final Duration TOLERATED_SKEW = Duration.ofSeconds(60);
  private static final Duration LONGEST_GUESS = Duration.ofDays(2);

  /**
   * After a start nobody has seen a change yet, so the age is guessed once from the times that the
   * node wrote.
   */
  public static NodeTrack atStart(Evidence evidence, Moment now) {
    var age =
        evidence
            .newest()
            .map(time -> bounded(Duration.between(time, now.wall())))
            .orElse(Duration.ZERO);
    var threshold = evidence.threshold();
    return new NodeTrack(
        evidence.trace(),
        now.uptime().minus(age),
        age.compareTo(threshold) > 0 ? now.uptime().plus(threshold.dividedBy(2)) : null,
        null,
        holders(Holders.NONE, evidence, now));
  }

  /** A node that appears while we look on has changed just now. */
  public static NodeTrack appeared(Evidence evidence, Moment now) {
    return new NodeTrack(
        evidence.trace(), now.uptime(), null, null, holders(Holders.NONE, evidence, now));
  }

  public NodeTrack next(Evidence evidence, Moment now) {
    if (evidence.trace().equals(trace)) {
      return this;
    }
    return new NodeTrack(
        evidence.trace(),
        now.uptime(),
        null,
        evidence.newest().map(time -> Duration.between(time, now.wall())).orElse(null),
        holders(holders, evidence, now));
  }

  private static Holders holders(Holders before, Evidence evidence, Moment now) {
    var heartbeat = evidence.heartbeat();
    return heartbeat == null ? before : before.and(heartbeat.holder(), now.uptime());
  }

  private static Duration bounded(Duration age) {
    if (age.isNegative()) {
      return Duration.ZERO;
    }
    return age.compareTo(LONGEST_GUESS) > 0 ? LONGEST_GUESS : age;
  }

  /**
   * How old the evidence is.
   *
   * @param threshold older than this is stale
   */
  public Freshness freshness(Duration threshold, Moment now) {
    if (!now.isOver(changedAt, threshold)) {
      return Freshness.FRESH;
    }
    return settlingUntil != null && now.uptime().compareTo(settlingUntil) < 0
        ? Freshness.SETTLING
        : Freshness.STALE;
  }

  /** When the freshness changes if the node says nothing more. */
  public Optional<Duration> nextChange(Duration threshold, Moment now) {
    return switch (freshness(threshold, now)) {
      case FRESH -> Optional.of(changedAt.plus(threshold));
      case SETTLING -> Optional.ofNullable(settlingUntil);
      case STALE -> Optional.empty();
    };
  }

  public boolean isSkewed() {
    return skew != null && skew.abs().compareTo(TOLERATED_SKEW) > 0;
  }

  public boolean hasTwoReporters(Moment now) {
    return holders.alternate(now.uptime());
  }
}
