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
 * @param atOnce how many are sent as they come, of all objects together
 * @param thenEvery the pause between further ones
 */
public record EventLimits(
    Duration window,
    int burst,
    Duration refill,
    Duration timeout,
    int waiting,
    int atOnce,
    Duration thenEvery) {

  public static EventLimits standard() {
    return new EventLimits(
        Duration.ofMinutes(10),
        25,
        Duration.ofMinutes(1),
        Duration.ofSeconds(2),
        4000,
        50,
        Duration.ofMillis(50));
  }
}
