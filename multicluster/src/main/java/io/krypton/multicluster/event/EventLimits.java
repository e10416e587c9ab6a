package io.krypton.multicluster.event;

import java.time.Duration;

/**
 * How much is told.
 *
 * @param window how long a repetition raises the count of the first event
 * @param burst how many events an object may have at once
 * @param refill after which time it may have one more
 * @param timeout of one call
 * @param waiting how many events may wait to be sent
 * @param pace at which they are sent
 */
record EventLimits(
    Duration window,
    int burst,
    Duration refill,
    Duration timeout,
    int waiting,
    EventPace.Steps pace) {

  static EventLimits standard() {
    return new EventLimits(
        Duration.ofMinutes(10),
        25,
        Duration.ofMinutes(1),
        Duration.ofSeconds(2),
        4000,
        EventPace.Steps.standard());
  }
}
