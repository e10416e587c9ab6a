package io.krypton.operator.tls.auth;

import io.krypton.operator.observe.HttpService.Answer;
import io.krypton.operator.observe.Protection;
import io.krypton.operator.observe.Protection.Request;
import io.krypton.operator.tls.auth.CachedReview.Result;
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
 * Shows a page to whom the API server allows it. While the API server cannot be asked, who was
 * allowed before stays allowed for a while, so that an outage can be watched; nobody else gets in.
 */
public final class DelegatedAuth implements Protection.Gate, AutoCloseable {
  private static final String MAC = "HmacSHA256";

  private final Reviews reviews;
  private final AuthTimes times;
  private final Consumer<String> results;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ReviewLimiter known;
  private final ReviewLimiter strangers;
  private final CachedReview<String, Identity> tokens;
  private final CachedReview<Access, Boolean> accesses;

  /** Cache keys must not give away tokens, not even in a heap dump of another process. */
  private final SecretKeySpec macKey = randomKey();

  private record Access(Principal principal, String path, String verb) {}

  /**
   * A principal.
   *
   * @param token the key of its token
   * @param stale whether it was only remembered beyond its time
   */
  private record Caller(Principal principal, String token, boolean stale) {}

  private enum Word {
    ALLOWED,
    STALE,
    UNAUTHENTICATED,
    DENIED,
    LIMITED,
    UNAVAILABLE
  }

  /**
   * @param results hears one word for each request
   */
  public DelegatedAuth(
      KubernetesReviews reviews, AuthTimes times, Consumer<String> results, InstantSource clock) {
    this(reviews, times, results, clock, System::nanoTime);
  }

  DelegatedAuth(
      Reviews reviews,
      AuthTimes times,
      Consumer<String> results,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.reviews = reviews;
    this.times = times;
    this.results = results;
    this.clock = clock;
    this.nanoTime = nanoTime;
    var outage = new Outage(times.pause(), nanoTime);
    this.known = ReviewLimiter.standard(nanoTime);
    this.strangers = ReviewLimiter.standard(nanoTime);
    this.tokens =
        new CachedReview<>(
            times,
            identity -> identity instanceof Identity.Doubtful ? Duration.ZERO : times.token(),
            outage,
            threads,
            nanoTime);
    this.accesses =
        new CachedReview<>(
            times,
            allowed -> allowed ? times.allowed() : times.denied(),
            outage,
            threads,
            nanoTime);
  }

  @Override
  public Optional<Answer> refusal(Request request) throws InterruptedException {
    var deadline = nanoTime.getAsLong() + times.request().toNanos();
    var token = BearerToken.in(request.authorization());
    if (token.isEmpty()) {
      return refuse(Word.UNAUTHENTICATED, unauthorized());
    }
    var expired = token.get().expiry().filter(end -> !clock.instant().isBefore(end)).isPresent();
    var key = keyOf(token.get());
    var who =
        tokens.ask(
            key, () -> reviews.authenticate(token.get()), permit(request), !expired, deadline);
    return switch (who) {
      case Result.Known<Identity>(Identity.Known(var principal)) ->
          authorize(new Caller(principal, key, false), request, deadline);
      case Result.Known<Identity>(Identity.Nobody nobody) -> {
        tokens.distrust(key);
        yield refuse(Word.UNAUTHENTICATED, unauthorized());
      }
      case Result.Known<Identity>(Identity.Doubtful doubtful) ->
          refuse(Word.UNAUTHENTICATED, unauthorized());
      case Result.Outdated<Identity>(Identity.Known(var principal), var since)
          when !expired && isWithinGrace(since) ->
          authorize(new Caller(principal, key, true), request, deadline);
      case Result.Outdated<Identity> outdated -> refuse(Word.UNAVAILABLE, unavailable());
      case Result.Nothing<Identity> nothing -> refuse(Word.UNAVAILABLE, unavailable());
      case Result.Limited<Identity> limited -> refuse(Word.LIMITED, tooMany());
    };
  }

  /** Garbage costs those nothing who have been let in before. */
  private CachedReview.Permit permit(Request request) {
    return trusted -> (trusted ? known : strangers).tryAcquire(request.peer());
  }

  private Optional<Answer> authorize(Caller who, Request request, long deadline)
      throws InterruptedException {
    var access =
        new Access(who.principal(), request.path(), request.method().toLowerCase(Locale.ROOT));
    var verdict =
        accesses.ask(
            access,
            () -> reviews.isAllowed(access.principal(), access.path(), access.verb()),
            permit(request),
            true,
            deadline);
    return switch (verdict) {
      case Result.Known<Boolean>(var allowed) -> {
        if (allowed) {
          yield admit(who, access, who.stale() ? Word.STALE : Word.ALLOWED);
        }
        accesses.distrust(access);
        yield refuse(Word.DENIED, denied(who.principal()));
      }
      case Result.Outdated<Boolean>(var allowed, var since) ->
          allowed && isWithinGrace(since)
              ? admit(who, access, Word.STALE)
              : refuse(Word.UNAVAILABLE, unavailable());
      case Result.Nothing<Boolean> nothing -> refuse(Word.UNAVAILABLE, unavailable());
      case Result.Limited<Boolean> limited -> refuse(Word.LIMITED, tooMany());
    };
  }

  private boolean isWithinGrace(Duration sinceExpiry) {
    return sinceExpiry.compareTo(times.staleGrace()) < 0;
  }

  private Optional<Answer> admit(Caller who, Access access, Word word) {
    tokens.trust(who.token());
    accesses.trust(access);
    results.accept(word.name().toLowerCase(Locale.ROOT));
    return Optional.empty();
  }

  private Optional<Answer> refuse(Word word, Answer answer) {
    results.accept(word.name().toLowerCase(Locale.ROOT));
    return Optional.of(answer);
  }

  private static Answer unauthorized() {
    return Answer.text(401, "Unauthorized").with("WWW-Authenticate", "Bearer");
  }

  private static Answer denied(Principal principal) {
    return Answer.text(403, "Authorization denied for user " + principal.name());
  }

  private static Answer tooMany() {
    return Answer.text(429, "Too many requests with unknown credentials").with("Retry-After", "1");
  }

  private static Answer unavailable() {
    return Answer.text(503, "The API server cannot be asked for authorization")
        .with("Retry-After", "5");
  }

  private String keyOf(BearerToken token) {
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
}
