package io.krypton.operator.kmshealth.convergence;

import io.krypton.operator.kmshealth.report.KeyHash;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What an expected node proves about the key that encrypts. */
public sealed interface Claim {
  /**
   * A fresh and healthy report.
   *
   * @param changedAt when the node last gave new evidence
   */
  record Uses(String remoteKeyId, Duration changedAt) implements Claim {
    KeyHash hash() {
      return KeyHash.of(remoteKeyId);
    }
  }

  /** Fresh and healthy, but without an id, as plugins of the first KMS API are. */
  record Nameless() implements Claim {}

  record Failing() implements Claim {}

  record Silent() implements Claim {}

  /** Cannot be told yet whether it is silent. */
  record Settling(@Nullable String remoteKeyId) implements Claim {}

  /** No readable report for this key. */
  record Missing() implements Claim {}
}
