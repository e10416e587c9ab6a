package io.krypton.kms.probe;

import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.verdict.Finding;
import java.time.Duration;

/**
 * The pause before a round trip that goes on failing is tried again: each try costs money at a
 * remote KMS, and one that says that it has had enough wants to be left alone.
 */
final class RoundTripBackoff {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LATER = Duration.ofSeconds(60);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  private RoundTripBackoff() {}

  /**
   * The pause after a failure.
   *
   * @param before how many pauses there were already since the last good round trip
   */
  static Duration pause(Finding finding, int before) {
    if (!finding.code().equals(RpcCode.RESOURCE_EXHAUSTED.name())) {
      return before == 0 ? FIRST : LATER;
    }
    var doubled = FIRST.multipliedBy(1L << Math.min(before, 10));
    return doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
  }
}
