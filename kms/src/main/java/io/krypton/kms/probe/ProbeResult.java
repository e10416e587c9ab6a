package io.krypton.kms.probe;

import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What one probe of one plugin found.
 *
 * @param checkedAt the wall clock before the first call
 * @param startedAt the monotonic clock at the same moment
 * @param keyId the remote key id of the last good Status of this process; empty if there is none
 * @param decryptProven whether some sample was decrypted to what it was; always false for Status
 */
public record ProbeResult(
    String plugin,
    Level level,
    Instant checkedAt,
    Duration startedAt,
    Duration took,
    Outcome outcome,
    String keyId,
    boolean decryptProven,
    List<CallRecord> calls) {
  public ProbeResult {
    calls = List.copyOf(calls);
  }

  /** Whether an API server can read and write with the current key. */
  public boolean isGood() {
    return switch (outcome) {
      case Outcome.Good _, Outcome.OldKeysUnreadable _ -> true;
      case Outcome.Suspect _, Outcome.Failing _ -> false;
    };
  }

  /** Leaves the key id out: it may be shown as a hash only. */
  @Override
  public String toString() {
    return "ProbeResult[%s %s at %s: %s]".formatted(plugin, level, checkedAt, outcome);
  }
}
