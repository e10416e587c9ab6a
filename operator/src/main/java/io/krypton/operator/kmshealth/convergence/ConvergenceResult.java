// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.convergence;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.KeyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be said about the key.
 *
 * @param condition still without its time
 * @param agreement to be remembered
 * @param stored to be written down; null if nothing was ever agreed on
 * @param nextChange when the verdict changes by the passing of time alone
 * @param reused a key came back that had been left before
 */
public record ConvergenceResult(
    Condition condition,
    @Nullable KeyAgreement agreement,
    @Nullable Convergence stored,
    Optional<Duration> nextChange,
    boolean reused) {

  /**
   * All nodes name the same key.
   *
   * @param since by the monotonic clock; in the past of this process after a restart
   * @param convergedAt the same for people and for the next process
   * @param confirmed it has lasted long enough once
   */
  public record KeyAgreement(
      KeyId writeKey, KeyHash hash, Duration since, Instant convergedAt, boolean confirmed) {

    boolean isAbout(KeyId key, KeyHash id) {
      return writeKey.equals(key) && hash.equals(id);
    }

    KeyAgreement asConfirmed() {
      return new KeyAgreement(writeKey, hash, since, convergedAt, true);
    }
  }
}
