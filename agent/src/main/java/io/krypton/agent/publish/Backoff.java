package io.krypton.agent.publish;

import io.krypton.agent.publish.ApiResult.Conflict;
import io.krypton.agent.publish.ApiResult.Done;
import io.krypton.agent.publish.ApiResult.Forbidden;
import io.krypton.agent.publish.ApiResult.Invalid;
import io.krypton.agent.publish.ApiResult.NoAccess;
import io.krypton.agent.publish.ApiResult.NotFound;
import io.krypton.agent.publish.ApiResult.ServerError;
import io.krypton.agent.publish.ApiResult.Throttled;
import io.krypton.agent.publish.ApiResult.Unauthorized;
import io.krypton.agent.publish.ApiResult.UndeclaredField;
import io.krypton.agent.publish.ApiResult.Unreachable;
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
public final class Backoff {
  static final Duration FIRST = Duration.ofMillis(500);
  static final Duration CAP = Duration.ofSeconds(5);
  static final Duration CAP_REFUSED = Duration.ofSeconds(60);
  private static final double SPREAD = 0.2;

  private final RandomGenerator random;
  private int outages;
  private int refusals;

  public Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** The pause before the next call; zero after a success, which also starts anew. */
  public Duration after(ApiResult result) {
    return switch (result) {
      case Done _ -> {
        outages = 0;
        refusals = 0;
        yield Duration.ZERO;
      }
      case Unreachable _, NoAccess _, Unauthorized _, Conflict _ -> afterOutage();
      case Forbidden _, NotFound _, Invalid _, UndeclaredField _ -> pause(refusals++, CAP_REFUSED);
      case Throttled throttled -> atLeast(throttled.retryAfter(), afterOutage());
      case ServerError error -> atLeast(error.retryAfter(), afterOutage());
    };
  }

  private Duration afterOutage() {
    return pause(outages++, CAP);
  }

  private Duration pause(int failures, Duration cap) {
    // Far beyond either cap; more doublings would only overflow.
    int doublings = Math.min(failures, 10);
    var doubled = FIRST.multipliedBy(1L << doublings);
    return spread(doubled.compareTo(cap) < 0 ? doubled : cap);
  }

  private Duration spread(Duration pause) {
    double factor = 1 + SPREAD * (2 * random.nextDouble() - 1);
    return Duration.ofNanos(Math.round((double) pause.toNanos() * factor));
  }

  private static Duration atLeast(Optional<Duration> asked, Duration own) {
    return asked.filter(pause -> pause.compareTo(own) > 0).orElse(own);
  }
}
