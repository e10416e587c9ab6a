package io.krypton.operator.tls.auth;

import io.krypton.base.time.Backoff;
import io.krypton.operator.tls.auth.AccessReviews.ReviewFailedException;
import io.krypton.operator.tls.auth.DelegatedAuth.AuthTimings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** One kind of review: asked once for all who wait for the same, and remembered. */
final class CachedReview<K, V> {
  private static final double FACTOR = 1.5;
  private static final double JITTER = 0.2;
  private static final Duration MAX_DELAY = Duration.ofSeconds(10);

  private final AuthTimings timings;
  private final Backoff backoff;
  private final Function<V, Duration> lifetime;
  private final CircuitBreaker breaker;
  private final Executor threads;
  private final LongSupplier nanoTime;
  private final VerdictCache<K, V> cache = new VerdictCache<>();
  private final Map<K, CompletableFuture<V>> inFlight = new ConcurrentHashMap<>();

  /** How a question was answered. */
  sealed interface Result<V> {
    /** By the API server, now or not long ago. */
    record Known<V>(V verdict) implements Result<V> {}

    /** No answer; this one was given before and has run out. */
    record Stale<V>(V verdict, Duration since) implements Result<V> {}

    record Unavailable<V>() implements Result<V> {}

    /** Not asked: the caller has caused too many reviews. */
    record RateLimited<V>() implements Result<V> {}
  }

  /** Whether one more review may be asked for. */
  @FunctionalInterface
  interface Permit {
    boolean tryAcquire(boolean trusted);
  }

  /** The question itself. */
  interface Question<V> {
    V ask() throws ReviewFailedException;
  }

  CachedReview(
      AuthTimings times,
      Function<V, Duration> lifetime,
      CircuitBreaker circuitBreaker,
      Executor threads,
      LongSupplier nanoTime) {
    this.timings = times;
    this.backoff = new Backoff(times.retry(), FACTOR, MAX_DELAY, JITTER);
    this.lifetime = lifetime;
    this.breaker = circuitBreaker;
    this.threads = threads;
    this.nanoTime = nanoTime;
  }

  /**
   * @param permit needed for each review; who joins one that is under way needs none
   * @param useMemory false if a remembered verdict must not be used without asking
   * @param deadline of the monotonic clock
   */
  Result<V> ask(K key, Question<V> question, Permit permit, boolean useMemory, long deadline)
      throws InterruptedException {
    var remembered = cache.get(key, nanoTime.getAsLong());
    if (useMemory && remembered.isPresent() && isFresh(remembered.get())) {
      return new Result.Known<>(remembered.get().verdict());
    }
    if (breaker.isOpen()) {
      return fromCache(remembered);
    }
    var trusted = remembered.map(VerdictCache.Aged::trusted).orElse(false);
    if (!inFlight.containsKey(key) && !permit.tryAcquire(trusted)) {
      return new Result.RateLimited<>();
    }
    var flight =
        inFlight.computeIfAbsent(
            key, asked -> CompletableFuture.supplyAsync(() -> review(asked, question), threads));
    try {
      var left = Math.max(0, deadline - nanoTime.getAsLong());
      return new Result.Known<>(flight.get(left, TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException noAnswer) {
      return fromCache(remembered);
    }
  }

  /** The verdict has let somebody in. */
  void trust(K key) {
    cache.trust(key);
  }

  /** The verdict has refused somebody. */
  void distrust(K key) {
    cache.distrust(key);
  }

  private boolean isFresh(VerdictCache.Aged<V> remembered) {
    return remembered.age().compareTo(lifetime.apply(remembered.verdict())) < 0;
  }

  private Result<V> fromCache(Optional<VerdictCache.Aged<V>> remembered) {
    return remembered
        .<Result<V>>map(
            aged ->
                new Result.Stale<>(
                    aged.verdict(), aged.age().minus(lifetime.apply(aged.verdict()))))
        .orElseGet(Result.Unavailable::new);
  }

  private V review(K key, Question<V> question) {
    try {
      var verdict = askWithRetries(question);
      cache.put(key, verdict, nanoTime.getAsLong());
      breaker.close();
      return verdict;
    } catch (ReviewFailedException none) {
      breaker.failed();
      throw new IllegalStateException(none.getMessage(), none);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped", stopped);
    } finally {
      inFlight.remove(key);
    }
  }

  private V askWithRetries(Question<V> question)
      throws ReviewFailedException, InterruptedException {
    for (var failures = 1; ; failures++) {
      try {
        return question.ask();
      } catch (ReviewFailedException none) {
        if (!none.isRetriable() || failures > timings.retries()) {
          throw none;
        }
      }
      Thread.sleep(backoff.delay(failures, ThreadLocalRandom.current()));
    }
  }

  /** After a review failed nobody asks for a while: each asker would wait in vain. */
  static final class CircuitBreaker {
    private final Duration pause;
    private final LongSupplier nanoTime;
    private boolean failed;
    private long at;

    CircuitBreaker(Duration pause, LongSupplier nanoTime) {
      this.pause = pause;
      this.nanoTime = nanoTime;
    }

    synchronized void failed() {
      failed = true;
      at = nanoTime.getAsLong();
    }

    synchronized void close() {
      failed = false;
    }

    synchronized boolean isOpen() {
      return failed && nanoTime.getAsLong() - at < pause.toNanos();
    }
  }
}
