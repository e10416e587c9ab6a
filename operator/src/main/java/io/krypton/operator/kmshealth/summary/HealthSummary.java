// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.summary;

import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import java.time.Instant;
import java.util.Optional;

/** The one condition that is made of many, wherever it is shown. */
public interface HealthSummary<T> {
  /**
   * Brings it up to date.
   *
   * @return when it changes by the passing of time alone
   */
  Optional<Instant> sync(T live, TargetState state, boolean inUse, Instant now);

  /** The object whose conditions are summed up does not exist. */
  void onSourceMissing();
}
