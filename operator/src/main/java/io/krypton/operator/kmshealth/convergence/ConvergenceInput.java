// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.convergence;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.operator.kmshealth.convergence.ConvergenceResult.KeyAgreement;
import io.krypton.operator.kmshealth.input.ClockReading;
import java.time.Duration;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything the decision about convergence looks at.
 *
 * @param writeKey the plugin configuration that encrypts
 * @param claims of each expected node
 * @param learned nobody says which nodes must report, so there may be others
 * @param agreement that stood before; null if none, or after a start
 * @param stored what an earlier process left; null if nothing
 * @param published the condition as it is now; null if there is none
 */
public record ConvergenceInput(
    WriteKey writeKey,
    SortedMap<String, NodeClaim> claims,
    boolean learned,
    @Nullable KeyAgreement agreement,
    boolean firstReconcile,
    @Nullable Convergence stored,
    @Nullable Condition published,
    Duration convergedFor,
    ClockReading now) {

  /** What an expected node proves about the key that encrypts. */
  public sealed interface NodeClaim {
    /**
     * A fresh and healthy report.
     *
     * @param changedAt when the node last gave new evidence
     */
    record Uses(String remoteKeyId, Duration changedAt) implements NodeClaim {
      KeyHash hash() {
        return KeyHash.ofReported(remoteKeyId);
      }
    }

    /** Fresh and healthy, but without an id, as plugins of the first KMS API are. */
    record WithoutKeyId() implements NodeClaim {}

    record Failing() implements NodeClaim {}

    record Stale() implements NodeClaim {}

    /** Cannot be told yet whether it is silent. */
    record Settling(@Nullable String remoteKeyId) implements NodeClaim {}

    /** No readable report for this key. */
    record Missing() implements NodeClaim {}
  }
}
