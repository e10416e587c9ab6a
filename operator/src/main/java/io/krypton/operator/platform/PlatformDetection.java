package io.krypton.operator.platform;

import io.krypton.operator.platform.PlatformDetector.Discovery.DiscoveryResult;
import java.time.Duration;

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
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final double JITTER = 0.2;

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
   * How long to wait before the next question.
   *
   * @param betweenDenials time between two denials that count
   * @param random from 0 to 1
   */
  Duration pause(Duration betweenDenials, double random) {
    if (failures == 0) {
      return betweenDenials;
    }
    var grown =
        Math.min(
            (double) LONGEST_PAUSE.toMillis(),
            (double) FIRST_PAUSE.toMillis() * Math.pow(2, failures - 1.0));
    return Duration.ofMillis(Math.round(grown * (1 + JITTER * (2 * random - 1))));
  }
}
