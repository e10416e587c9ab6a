// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import java.time.Duration;

/**
 * How long is waited for what.
 *
 * @param report until a node that has never reported counts as missing
 * @param rollout how long a node may be silent while it is being rolled out or was stopped on
 *     purpose
 * @param recovery how long a plugin must be well until it counts as well
 * @param orphan until what an unexpected node left is removed
 */
public record GracePeriods(Duration report, Duration rollout, Duration recovery, Duration orphan) {
  public static final GracePeriods STANDARD =
      new GracePeriods(
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Duration.ofMinutes(10));
}
