package io.krypton.operator.platform;

import io.krypton.operator.platform.Discovery.Answer;
import java.time.Duration;

/**
 * How far the detection has come. That OpenShift is absent is believed only after it was said three
 * times, some seconds apart, and the list of groups agrees; an error says nothing at all, and makes
 * the counting start over.
 *
 * @param denials answers in a row that it is absent
 * @param failures errors in a row
 */
record Detection(int denials, int failures) {
  static final Detection BEGIN = new Detection(0, 0);
  private static final int DENIALS_NEEDED = 3;
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final double JITTER = 0.2;

  /** What follows from an answer. */
  sealed interface Step {
    record Decided(Platform platform) implements Step {}

    /** Ask for the version again. */
    record Again(Detection detection) implements Step {}

    /** Ask for the group now. */
    record AskGroup(Detection detection) implements Step {}
  }

  Step onVersion(Answer answer) {
    return switch (answer) {
      case Answer.Yes yes -> new Step.Decided(Platform.OPENSHIFT);
      case Answer.No no -> {
        var next = new Detection(denials + 1, 0);
        yield next.denials >= DENIALS_NEEDED ? new Step.AskGroup(next) : new Step.Again(next);
      }
      case Answer.Failed failed -> new Step.Again(new Detection(0, failures + 1));
    };
  }

  Step onGroup(Answer answer) {
    return switch (answer) {
      case Answer.Yes yes -> new Step.Decided(Platform.OPENSHIFT);
      case Answer.No no -> new Step.Decided(Platform.KUBERNETES);
      case Answer.Failed failed -> new Step.Again(new Detection(0, failures + 1));
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
