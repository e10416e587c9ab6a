// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import io.krypton.base.http.Page;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import io.krypton.operator.tls.auth.AccessReviews.TokenStatus;
import io.krypton.operator.tls.auth.CachedReview.CircuitBreaker;
import io.krypton.operator.tls.auth.CachedReview.Result;
import io.krypton.operator.tls.auth.CallerToken.Principal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Authenticates by TokenReview and authorizes by SubjectAccessReview. While the API server is
 * unavailable, callers that were allowed before stay allowed for a while, so that an outage can be
 * observed; others are refused.
 */
public final class DelegatedAuth implements Page.Guard, AutoCloseable {
  private static final String MAC = "HmacSHA256";

  private final AccessReviews accessReviews;
  private final AuthTimings timings;
  private final Consumer<String> results;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ReviewLimiter known;
  private final ReviewLimiter strangers;
  private final CachedReview<String, TokenStatus> tokens;
  private final CachedReview<Access, Boolean> accesses;

  /** Cache keys must not give away tokens, not even in a heap dump of another process. */
  private final SecretKeySpec macKey = randomKey();

  private record Access(Principal principal, String path, String verb) {}

  /**
   * A principal.
   *
   * @param token the key of its token
   * @param stale whether it comes from an expired cache entry
   */
  private record Caller(Principal principal, String token, boolean stale) {}

  private enum AuthResult {
    ALLOWED,
    STALE,
    UNAUTHENTICATED,
    DENIED,
    LIMITED,
    UNAVAILABLE
  }

  /**
   * @param results called with the result of each request
   */
  public DelegatedAuth(
      KubernetesAccessReviews reviews,
      AuthTimings times,
      Consumer<String> results,
      InstantSource clock) {
    this(reviews, times, results, clock, System::nanoTime);
  }

  DelegatedAuth(
      AccessReviews accessReviews,
      AuthTimings times,
      Consumer<String> results,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.accessReviews = accessReviews;
    this.timings = times;
    this.results = results;
    this.clock = clock;
    this.nanoTime = nanoTime;
    var circuitBreaker = new CircuitBreaker(times.pause(), nanoTime);
    this.known = ReviewLimiter.standard(nanoTime);
    this.strangers = ReviewLimiter.standard(nanoTime);
    this.tokens =
        new CachedReview<>(
            times,
            tokenStatus ->
                tokenStatus instanceof TokenStatus.Inconclusive ? Duration.ZERO : times.token(),
            circuitBreaker,
            threads,
            nanoTime);
    this.accesses =
        new CachedReview<>(
            times,
            allowed -> allowed ? times.allowed() : times.denied(),
            circuitBreaker,
            threads,
            nanoTime);
  }

  @Override
  public Optional<PageResponse> refusal(PageRequest request) throws InterruptedException {
    var deadline = nanoTime.getAsLong() + timings.request().toNanos();
    var token = CallerToken.in(request.header("Authorization"));
    if (token.isEmpty()) {
      return refuse(AuthResult.UNAUTHENTICATED, unauthorized());
    }
    var expired = token.get().expiry().filter(end -> !clock.instant().isBefore(end)).isPresent();
    var key = keyOf(token.get());
    var who =
        tokens.ask(
            key,
            () -> accessReviews.authenticate(token.get()),
            permit(request),
            !expired,
            deadline);
    return switch (who) {
      case Result.Known<TokenStatus>(TokenStatus.Authenticated(var principal)) ->
          authorize(new Caller(principal, key, false), request, deadline);
      case Result.Known<TokenStatus>(TokenStatus.Unauthenticated unauthenticated) -> {
        tokens.distrust(key);
        yield refuse(AuthResult.UNAUTHENTICATED, unauthorized());
      }
      case Result.Known<TokenStatus>(TokenStatus.Inconclusive inconclusive) ->
          refuse(AuthResult.UNAUTHENTICATED, unauthorized());
      case Result.Stale<TokenStatus>(TokenStatus.Authenticated(var principal), var since)
          when !expired && isWithinGrace(since) ->
          authorize(new Caller(principal, key, true), request, deadline);
      case Result.Stale<TokenStatus> outdated -> refuse(AuthResult.UNAVAILABLE, unavailable());
      case Result.Unavailable<TokenStatus> nothing -> refuse(AuthResult.UNAVAILABLE, unavailable());
      case Result.RateLimited<TokenStatus> rateLimited -> refuse(AuthResult.LIMITED, tooMany());
    };
  }

  /** Unknown callers have a limit of their own: they cannot use up that of known ones. */
  private CachedReview.Permit permit(PageRequest request) {
    return trusted -> (trusted ? known : strangers).tryAcquire(request.peer().getHostAddress());
  }

  private Optional<PageResponse> authorize(Caller who, PageRequest request, long deadline)
      throws InterruptedException {
    var access =
        new Access(who.principal(), request.path(), request.method().toLowerCase(Locale.ROOT));
    var verdict =
        accesses.ask(
            access,
            () -> accessReviews.isAllowed(access.principal(), access.path(), access.verb()),
            permit(request),
            true,
            deadline);
    return switch (verdict) {
      case Result.Known<Boolean>(var allowed) -> {
        if (allowed) {
          yield admit(who, access, who.stale() ? AuthResult.STALE : AuthResult.ALLOWED);
        }
        accesses.distrust(access);
        yield refuse(AuthResult.DENIED, denied(who.principal()));
      }
      case Result.Stale<Boolean>(var allowed, var since) ->
          allowed && isWithinGrace(since)
              ? admit(who, access, AuthResult.STALE)
              : refuse(AuthResult.UNAVAILABLE, unavailable());
      case Result.Unavailable<Boolean> nothing -> refuse(AuthResult.UNAVAILABLE, unavailable());
      case Result.RateLimited<Boolean> rateLimited -> refuse(AuthResult.LIMITED, tooMany());
    };
  }

  private boolean isWithinGrace(Duration sinceExpiry) {
    return sinceExpiry.compareTo(timings.staleGrace()) < 0;
  }

  private Optional<PageResponse> admit(Caller who, Access access, AuthResult authResult) {
    tokens.trust(who.token());
    accesses.trust(access);
    results.accept(authResult.name().toLowerCase(Locale.ROOT));
    return Optional.empty();
  }

  private Optional<PageResponse> refuse(AuthResult authResult, PageResponse response) {
    results.accept(authResult.name().toLowerCase(Locale.ROOT));
    return Optional.of(response);
  }

  private static PageResponse unauthorized() {
    return PageResponse.text(401, "Unauthorized").with("WWW-Authenticate", "Bearer");
  }

  private static PageResponse denied(Principal principal) {
    return PageResponse.text(403, "Authorization denied for user " + principal.name());
  }

  private static PageResponse tooMany() {
    return PageResponse.text(429, "Too many requests with unknown credentials")
        .with("Retry-After", "1");
  }

  private static PageResponse unavailable() {
    return PageResponse.text(503, "The API server cannot be asked for authorization")
        .with("Retry-After", "5");
  }

  private String keyOf(CallerToken token) {
    try {
      var mac = Mac.getInstance(MAC);
      mac.init(macKey);
      return HexFormat.of()
          .formatHex(mac.doFinal(token.value().getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JVM has " + MAC, e);
    }
  }

  private static SecretKeySpec randomKey() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return new SecretKeySpec(bytes, MAC);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /**
   * How long verdicts are valid, and timeouts of reviews.
   *
   * @param token verdict about a token, either way
   * @param staleGrace how much longer what was allowed holds while no verdict can be had
   * @param request longest wait of one request
   * @param pause how long no review is sent after a failed one
   * @param retries further tries of one review
   * @param retry pause before the first of them; it grows by half each time
   */
  public record AuthTimings(
      Duration token,
      Duration allowed,
      Duration denied,
      Duration staleGrace,
      Duration request,
      Duration pause,
      int retries,
      Duration retry) {
    public static AuthTimings standard(Duration staleGrace) {
      return new AuthTimings(
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
}
