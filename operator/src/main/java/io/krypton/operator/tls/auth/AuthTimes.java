package io.krypton.operator.tls.auth;

import java.time.Duration;

/**
 * How long verdicts hold, and how long is waited for new ones.
 *
 * @param token verdict about a token, either way
 * @param staleGrace how much longer what was allowed holds while no verdict can be had
 * @param request longest wait of one request
 * @param pause after a failed review nobody asks for this long
 * @param retries further tries of one review
 * @param retry pause before the first of them; it grows by half each time
 */
public record AuthTimes(
    Duration token,
    Duration allowed,
    Duration denied,
    Duration staleGrace,
    Duration request,
    Duration pause,
    int retries,
    Duration retry) {
  public static AuthTimes standard(Duration staleGrace) {
    return new AuthTimes(
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofSeconds(30),
        staleGrace,
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        5,
        Duration.ofMillis(500));
  }
}
