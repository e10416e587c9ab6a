// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import io.krypton.agent.kube.ApiResult.Conflict;
import io.krypton.agent.kube.ApiResult.Done;
import io.krypton.agent.kube.ApiResult.Forbidden;
import io.krypton.agent.kube.ApiResult.Invalid;
import io.krypton.agent.kube.ApiResult.NoAccess;
import io.krypton.agent.kube.ApiResult.NotFound;
import io.krypton.agent.kube.ApiResult.ServerError;
import io.krypton.agent.kube.ApiResult.Throttled;
import io.krypton.agent.kube.ApiResult.Unauthorized;
import io.krypton.agent.kube.ApiResult.UndeclaredField;
import io.krypton.agent.kube.ApiResult.Unreachable;
import io.krypton.base.time.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * How long to wait after a failed call: 0.5 s, doubled each time, spread by a fifth.
 *
 * <p>Faults that pass by themselves are asked about at least every 5 s, so that a report follows
 * the return of the API server within seconds. What somebody has to repair first (rights, a missing
 * object, a refused body) is asked about ever more seldom, down to once a minute; it still starts
 * at 0.5 s, however long an outage was before it, because an API server answers 403 and 404 for a
 * moment while it starts.
 */
public final class ApiBackoff {
  static final Duration INITIAL_DELAY = Duration.ofMillis(500);
  static final Duration MAX_DELAY = Duration.ofSeconds(5);
  static final Duration MAX_DELAY_REFUSED = Duration.ofSeconds(60);
  private static final double JITTER = 0.2;
  private static final Backoff OUTAGE =
      Backoff.doubling(INITIAL_DELAY, MAX_DELAY).withJitter(JITTER);
  private static final Backoff REFUSED =
      Backoff.doubling(INITIAL_DELAY, MAX_DELAY_REFUSED).withJitter(JITTER);

  private final RandomGenerator random;
  private int outages;
  private int refusals;

  public ApiBackoff(RandomGenerator random) {
    this.random = random;
  }

  /** The pause before the next call; zero after a success, which also starts anew. */
  public Duration delayAfter(ApiResult result) {
    return switch (result) {
      case Done _ -> {
        outages = 0;
        refusals = 0;
        yield Duration.ZERO;
      }
      case Unreachable _, NoAccess _, Unauthorized _, Conflict _ -> afterOutage();
      case Forbidden _, NotFound _, Invalid _, UndeclaredField _ ->
          REFUSED.delay(++refusals, random);
      case Throttled throttled -> atLeast(throttled.retryAfter(), afterOutage());
      case ServerError error -> atLeast(error.retryAfter(), afterOutage());
    };
  }

  private Duration afterOutage() {
    return OUTAGE.delay(++outages, random);
  }

  private static Duration atLeast(Optional<Duration> asked, Duration own) {
    return asked.filter(pause -> pause.compareTo(own) > 0).orElse(own);
  }
}
