package io.krypton.operator.kmshealth.evidence;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the aggregator remembers of one node.
 *
 * @param trace of the evidence that was seen last
 * @param changedAt when it was last seen to change; guessed at first sight
 * @param settlingUntil as long as nothing has changed before our eyes: until then at least the node
 *     may show that it lives, whatever its clock says
 * @param askedAt when the server itself last said that there is nothing newer
 * @param skew how far the node's clock is behind ours, measured at the last change
 */
public record NodeTrack(
    String trace,
    Duration changedAt,
    @Nullable Duration settlingUntil,
    @Nullable Duration askedAt,
    @Nullable Duration skew,
    Holders holders) {
  private static final Duration TOLERATED_SKEW = Duration.ofSeconds(60);
  private static final Duration LONGEST_GUESS = Duration.ofDays(2);

  /**
   * After a start nobody has seen a change yet. The age is guessed once from the times that the
   * node wrote, but no guess makes a node fresh: a dead node whose clock was fast would look alive.
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
        now.uptime().plus(threshold.dividedBy(2)),
        null,
        null,
        holders(Holders.NONE, evidence, now));
  }

  /** A node that appears while we look on has changed just now. */
  public static NodeTrack appeared(Evidence evidence, Moment now) {
    return new NodeTrack(
        evidence.trace(), now.uptime(), null, null, null, holders(Holders.NONE, evidence, now));
  }

  public NodeTrack next(Evidence evidence, Moment now) {
    if (evidence.trace().equals(trace)) {
      return this;
    }
    return new NodeTrack(
        evidence.trace(),
        now.uptime(),
        null,
        null,
        evidence.newest().map(time -> Duration.between(time, now.wall())).orElse(null),
        holders(holders, evidence, now));
  }

  /** The server itself was asked, and has nothing newer than what was seen. */
  public NodeTrack asked(Moment now) {
    return new NodeTrack(trace, changedAt, settlingUntil, now.uptime(), skew, holders);
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
    if (now.uptime().compareTo(staleAfter(threshold)) > 0) {
      return Freshness.STALE;
    }
    return settlingUntil == null ? Freshness.FRESH : Freshness.SETTLING;
  }

  private Duration staleAfter(Duration threshold) {
    var end = changedAt.plus(threshold);
    return settlingUntil != null && settlingUntil.compareTo(end) > 0 ? settlingUntil : end;
  }

  /** Whether the server itself was asked since the node has been silent for too long. */
  public boolean isSilenceKnown(Duration threshold) {
    return askedAt != null && askedAt.compareTo(staleAfter(threshold)) > 0;
  }

  /** When the freshness changes if the node says nothing more. */
  public Optional<Duration> nextChange(Duration threshold, Moment now) {
    return freshness(threshold, now) == Freshness.STALE
        ? Optional.empty()
        : Optional.of(staleAfter(threshold));
  }

  public boolean isSkewed() {
    return skew != null && skew.abs().compareTo(TOLERATED_SKEW) > 0;
  }

  public boolean hasTwoReporters(Moment now) {
    return holders.alternate(now.uptime());
  }
}
