package io.krypton.operator.kmshealth.convergence;

import io.krypton.operator.kmshealth.report.KeyHash;
import io.krypton.operator.kmshealth.report.KeyId;
import java.time.Duration;
import java.time.Instant;

/**
 * All nodes name the same key.
 *
 * @param since by the monotonic clock; in the past of this process after a restart
 * @param convergedAt the same for people and for the next process
 * @param confirmed it has lasted long enough once
 */
public record Agreement(
    KeyId writeKey, KeyHash hash, Duration since, Instant convergedAt, boolean confirmed) {

  boolean isAbout(KeyId key, KeyHash id) {
    return writeKey.equals(key) && hash.equals(id);
  }

  Agreement asConfirmed() {
    return new Agreement(writeKey, hash, since, convergedAt, true);
  }
}
