package io.krypton.kms.verdict;

/** What a reporter tells of a plugin after damping. */
public sealed interface Published {
  /** Nothing yet: a plugin that starts beside the reporter is not failing. */
  record Nothing() implements Published {}

  record Healthy() implements Published {}

  /**
   * Told as failing until enough good probes have been seen.
   *
   * @param goodStatus how many good probes in a row end it
   * @param goodDeep how many good round trips, after the first good probe, end it
   */
  record Failing(Finding finding, int goodStatus, int goodDeep) implements Published {}
}
