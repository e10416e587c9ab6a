// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.platform;

import io.krypton.base.time.Backoff;
import io.krypton.operator.platform.PlatformDetector.Discovery.DiscoveryResult;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How far the detection has come. That OpenShift is absent is believed only after it was said three
 * times, some seconds apart, and the list of groups agrees; an error says nothing at all, and makes
 * the counting start over.
 *
 * @param denials answers in a row that it is absent
 * @param failures errors in a row
 */
record PlatformDetection(int denials, int failures) {
  static final PlatformDetection BEGIN = new PlatformDetection(0, 0);
  private static final int DENIALS_NEEDED = 3;
  private static final Backoff BACKOFF =
      Backoff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30)).withJitter(0.2);

  /** What follows from an answer. */
  sealed interface Step {
    record Decided(Platform platform) implements Step {}

    /** Ask for the version again. */
    record Again(PlatformDetection detection) implements Step {}

    /** Ask for the group now. */
    record AskGroup(PlatformDetection detection) implements Step {}
  }

  Step onVersion(DiscoveryResult discoveryResult) {
    return switch (discoveryResult) {
      case DiscoveryResult.Present present -> new Step.Decided(Platform.OPENSHIFT);
      case DiscoveryResult.Absent no -> {
        var next = new PlatformDetection(denials + 1, 0);
        yield next.denials >= DENIALS_NEEDED ? new Step.AskGroup(next) : new Step.Again(next);
      }
      case DiscoveryResult.Failed failed -> new Step.Again(new PlatformDetection(0, failures + 1));
    };
  }

  Step onGroup(DiscoveryResult discoveryResult) {
    return switch (discoveryResult) {
      case DiscoveryResult.Present present -> new Step.Decided(Platform.OPENSHIFT);
      case DiscoveryResult.Absent no -> new Step.Decided(Platform.KUBERNETES);
      case DiscoveryResult.Failed failed -> new Step.Again(new PlatformDetection(0, failures + 1));
    };
  }

  /**
   * The delay before the next request.
   *
   * @param betweenDenials time between two denials that count
   */
  Duration delay(Duration betweenDenials, RandomGenerator random) {
    return failures == 0 ? betweenDenials : BACKOFF.delay(failures, random);
  }
}
