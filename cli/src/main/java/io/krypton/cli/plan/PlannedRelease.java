// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import org.jspecify.annotations.Nullable;

/** Either a release that an object asks for, or why none would be touched. */
sealed interface PlannedRelease {
  record Wanted(WantedRelease release) implements PlannedRelease {}

  record NotPlanned(ReleasePlan plan) implements PlannedRelease {}

  /**
   * A release that an object asks for, with all layers of values merged.
   *
   * @param base what the chart gets beneath them, if it knows the key
   * @param appliedFingerprint the fingerprint that the object holds from the last rollout
   */
  record WantedRelease(
      String cluster,
      String object,
      ReleaseName name,
      String workspace,
      ChartValues values,
      DefaultValue base,
      @Nullable String appliedFingerprint) {}
}
