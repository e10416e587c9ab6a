// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import io.krypton.kms.rpc.RpcCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What becomes worse by lasting: missing authentication, which a token refresh usually cures, and
 * two key ids, which a rotation shows for a while. One is kept for each level of probing; times are
 * monotonic.
 */
public record Escalation(
    @Nullable Duration unauthenticatedSince, @Nullable Duration mismatchSince) {
  public static final Escalation NONE = new Escalation(null, null);

  private static final Duration TOKEN_REFRESH = Duration.ofSeconds(60);
  private static final Duration ROTATION = Duration.ofSeconds(90);

  /** The outcome as it counts, and the state for the next one. */
  public record Step(Escalation next, ProbeOutcome outcome) {}

  public Step after(ProbeOutcome observed, Duration now) {
    return switch (observed) {
      case ProbeOutcome.Good good -> new Step(NONE, good);
      case ProbeOutcome.OldKeysUnreadable degraded -> new Step(NONE, degraded);
      case ProbeOutcome.Suspect suspect -> after(suspect.finding(), now);
      case ProbeOutcome.Failing failing -> after(failing.finding(), now);
    };
  }

  private Step after(ProbeFinding finding, Duration now) {
    if (finding.reason() == Reason.KEY_ID_MISMATCH) {
      var since = mismatchSince == null ? now : mismatchSince;
      var lasting = lasts(since, now, ROTATION);
      return new Step(
          new Escalation(null, since),
          lasting
              ? new ProbeOutcome.Failing(finding.withVerdict(Verdict.FATAL))
              : new ProbeOutcome.Suspect(finding));
    }
    if (finding.code().equals(RpcCode.UNAUTHENTICATED.name())
        && finding.verdict() == Verdict.WAIT) {
      var since = unauthenticatedSince == null ? now : unauthenticatedSince;
      var lasting = lasts(since, now, TOKEN_REFRESH);
      return new Step(
          new Escalation(since, null),
          new ProbeOutcome.Failing(lasting ? finding.withVerdict(Verdict.FATAL) : finding));
    }
    return new Step(NONE, new ProbeOutcome.Failing(finding));
  }

  private static boolean lasts(Duration since, Duration now, Duration limit) {
    return now.minus(since).compareTo(limit) >= 0;
  }
}
