// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.rpc.RpcCode;
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
public record PluginProbeResult(
    String plugin,
    ProbeLevel level,
    Instant checkedAt,
    Duration startedAt,
    Duration duration,
    ProbeOutcome outcome,
    String keyId,
    boolean decryptProven,
    List<CallRecord> calls) {
  public PluginProbeResult {
    calls = List.copyOf(calls);
  }

  /** Whether an API server can read and write with the current key. */
  public boolean isGood() {
    return switch (outcome) {
      case ProbeOutcome.Good _, ProbeOutcome.OldKeysUnreadable _ -> true;
      case ProbeOutcome.Suspect _, ProbeOutcome.Failing _ -> false;
    };
  }

  /** Leaves the key id out: it may be shown as a hash only. */
  @Override
  public String toString() {
    return "ProbeResult[%s %s at %s: %s]".formatted(plugin, level, checkedAt, outcome);
  }

  /** One call to a plugin, for metrics; Encrypt and Decrypt cost money at a remote KMS. */
  public record CallRecord(Operation operation, RpcCode code, Duration duration) {

    /** What was called; Status stands for Version of the v1 API, too. */
    public enum Operation {
      STATUS,
      ENCRYPT,
      DECRYPT
    }
  }
}
