// SPDX-License-Identifier: Apache-2.0
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

/** One kind of review: one request for all who wait for the same result, which is cached. */
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

  /** The result of a review. */
  sealed interface Result<V> {
    /** Of the API server, fresh or cached. */
    record Known<V>(V verdict) implements Result<V> {}

    /** The API server is unavailable; this cached verdict has expired. */
    record Stale<V>(V verdict, Duration since) implements Result<V> {}

    record Unavailable<V>() implements Result<V> {}

    /** Not sent: the caller has caused too many reviews. */
    record RateLimited<V>() implements Result<V> {}
  }

  /** Whether one more review may be sent. */
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
   * @param permit needed for each request; who joins one in flight needs none
   * @param useCache false if a cached verdict must not be used
   * @param deadline of the monotonic clock
   */
  Result<V> ask(K key, Question<V> question, Permit permit, boolean useCache, long deadline)
      throws InterruptedException {
    var cached = cache.get(key, nanoTime.getAsLong());
    if (useCache && cached.isPresent() && isFresh(cached.get())) {
      return new Result.Known<>(cached.get().verdict());
    }
    if (breaker.isOpen()) {
      return fromCache(cached);
    }
    var trusted = cached.map(VerdictCache.Aged::trusted).orElse(false);
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
      return fromCache(cached);
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

  private boolean isFresh(VerdictCache.Aged<V> cached) {
    return cached.age().compareTo(lifetime.apply(cached.verdict())) < 0;
  }

  private Result<V> fromCache(Optional<VerdictCache.Aged<V>> cached) {
    return cached
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

  /** Open for a while after a failed review: each further one would only time out. */
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
