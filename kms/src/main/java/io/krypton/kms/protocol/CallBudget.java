package io.krypton.kms.protocol;

import java.time.Duration;

/**
 * How long the two parts of a call may take. The time of the plugin begins when the request is
 * written on a connection that stands; until then it is our own time, of which a cold JVM needs
 * much, as it loads most of its classes for its first connection.
 *
 * @param connect until the connection stands
 * @param answer from the written request to the answer
 */
record CallBudget(Duration connect, Duration answer) {
  /** Since the first use of this class, at the end of which a JVM should have become warm. */
  static final Duration WARM_UP = Duration.ofSeconds(8);

  /** What a warm JVM gets at least; a short timeout says nothing about this machine. */
  static final Duration LEAST = Duration.ofSeconds(1);

  private static final int MOST_DIGITS = 99_999_999;
  private static final long FIRST_USE = System.nanoTime();

  static CallBudget of(Duration timeout) {
    return of(timeout, Duration.ofNanos(System.nanoTime() - FIRST_USE));
  }

  /**
   * The budget of a call.
   *
   * @param timeout what the plugin gets
   * @param age how long connections have been in use in this JVM
   */
  static CallBudget of(Duration timeout, Duration age) {
    return new CallBudget(longer(longer(timeout, LEAST), WARM_UP.minus(age)), timeout);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** The plugin's time in the words of the header {@code grpc-timeout}: eight digits at most. */
  String header() {
    var micros = answer.toNanos() / 1_000;
    if (micros <= MOST_DIGITS) {
      return Math.max(1, micros) + "u";
    }
    var millis = answer.toMillis();
    return millis <= MOST_DIGITS ? millis + "m" : Math.min(MOST_DIGITS, answer.toSeconds()) + "S";
  }
}
