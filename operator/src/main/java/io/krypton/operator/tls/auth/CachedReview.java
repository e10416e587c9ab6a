package io.krypton.operator.tls.auth;

import io.krypton.operator.tls.auth.Reviews.NoVerdict;
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
  private static final double GROWTH = 1.5;
  private static final double JITTER = 0.2;

  private final AuthTimes times;
  private final Function<V, Duration> lifetime;
  private final Outage outage;
  private final Executor threads;
  private final LongSupplier nanoTime;
  private final VerdictCache<K, V> cache = new VerdictCache<>();
  private final Map<K, CompletableFuture<V>> flights = new ConcurrentHashMap<>();

  /** How a question was answered. */
  sealed interface Result<V> {
    /** By the API server, now or not long ago. */
    record Known<V>(V verdict) implements Result<V> {}

    /** No answer; this one was given before and has run out. */
    record Outdated<V>(V verdict, Duration since) implements Result<V> {}

    record Nothing<V>() implements Result<V> {}

    /** Not asked: the caller has caused too many reviews. */
    record Limited<V>() implements Result<V> {}
  }

  /** Whether one more review may be asked for. */
  @FunctionalInterface
  interface Permit {
    boolean tryAcquire(boolean trusted);
  }

  /** The question itself. */
  interface Question<V> {
    V ask() throws NoVerdict;
  }

  CachedReview(
      AuthTimes times,
      Function<V, Duration> lifetime,
      Outage outage,
      Executor threads,
      LongSupplier nanoTime) {
    this.times = times;
    this.lifetime = lifetime;
    this.outage = outage;
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
    if (outage.isFresh()) {
      return memory(remembered);
    }
    var trusted = remembered.map(VerdictCache.Aged::trusted).orElse(false);
    if (!flights.containsKey(key) && !permit.tryAcquire(trusted)) {
      return new Result.Limited<>();
    }
    var flight =
        flights.computeIfAbsent(
            key, asked -> CompletableFuture.supplyAsync(() -> fly(asked, question), threads));
    try {
      var left = Math.max(0, deadline - nanoTime.getAsLong());
      return new Result.Known<>(flight.get(left, TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException noAnswer) {
      return memory(remembered);
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

  private Result<V> memory(Optional<VerdictCache.Aged<V>> remembered) {
    return remembered
        .<Result<V>>map(
            aged ->
                new Result.Outdated<>(
                    aged.verdict(), aged.age().minus(lifetime.apply(aged.verdict()))))
        .orElseGet(Result.Nothing::new);
  }

  private V fly(K key, Question<V> question) {
    try {
      var verdict = askPatiently(question);
      cache.put(key, verdict, nanoTime.getAsLong());
      outage.ended();
      return verdict;
    } catch (NoVerdict none) {
      outage.failed();
      throw new IllegalStateException(none.getMessage(), none);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("stopped", stopped);
    } finally {
      flights.remove(key);
    }
  }

  private V askPatiently(Question<V> question) throws NoVerdict, InterruptedException {
    var pause = (double) times.retry().toNanos();
    for (var tries = 0; ; tries++) {
      try {
        return question.ask();
      } catch (NoVerdict none) {
        if (!none.isPassing() || tries >= times.retries()) {
          throw none;
        }
      }
      var spread = 1 + JITTER * (2 * ThreadLocalRandom.current().nextDouble() - 1);
      Thread.sleep(Duration.ofNanos((long) (pause * spread)));
      pause *= GROWTH;
    }
  }
}
