// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.probe.PluginProbe.PluginSpec;
import org.jspecify.annotations.Nullable;

/** Hears of every result, on the loop of the prober: it must not block. */
public interface ProbeListener<J> {

  /** The state of a plugin after a result, which is its last Status or its last round trip. */
  void onResult(PluginState<J> state, PluginProbeResult result);

  /** Every plugin has brought a Status result since this tick began. */
  default void onTick(long number) {}

  /**
   * All that is known of one plugin at one moment.
   *
   * @param lastDeep empty until the first round trip is done
   * @param assessment the assessment of the schedule
   */
  record PluginState<J>(
      PluginSpec plugin,
      @Nullable PluginProbeResult lastStatus,
      @Nullable PluginProbeResult lastDeep,
      J assessment) {}
}
