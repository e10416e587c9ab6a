// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.time.Backoff;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Real threads on a real clock: producers and workers that know only the public methods. */
class WorkQueueConcurrencyTest {
  private static final ConcurrencyLimits LIMITS = new ConcurrencyLimits(8, 3);

  @Test
  void under_load_no_wake_up_is_lost_no_key_runs_twice_at_once_and_the_limits_hold()
      throws Exception {
    Seeded.runs(5, random -> new Load(random).run());
  }

  @Test
  void closing_wakes_a_waiting_taker() throws Exception {
    var queue = new WorkQueue(LIMITS, Backoff.STANDARD, System::nanoTime, new Random(1));
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var taken = executor.submit(queue::take);
      queue.close();
      assertThat(taken.get()).isEmpty();
    }
  }

  @Test
  void waiting_for_the_end_of_runs_is_bounded() throws Exception {
    var queue = new WorkQueue(LIMITS, Backoff.STANDARD, System::nanoTime, new Random(1));
    var key = new WorkKey("a", "ns", "one");
    queue.add(key);
    queue.take();
    assertThat(queue.awaitIdle(Duration.ofMillis(10))).isFalse();
    assertThat(queue.awaitIdle("b", Duration.ofMillis(10))).isTrue();
    queue.done(key);
    assertThat(queue.awaitIdle("a", Duration.ZERO)).isTrue();
  }

  private static final class Load {
    private final Random random;
    private final WorkQueue queue;
    private final List<WorkKey> keys = new ArrayList<>();
    private final Map<WorkKey, AtomicInteger> wanted = new ConcurrentHashMap<>();
    private final Map<WorkKey, Integer> seen = new ConcurrentHashMap<>();
    private final Map<Object, AtomicInteger> busy = new ConcurrentHashMap<>();
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    Load(Random random) {
      this.random = random;
      var quick = new Backoff(Duration.ofMillis(1), 2, Duration.ofMillis(4), 0.2);
      this.queue = new WorkQueue(LIMITS, quick, System::nanoTime, new Random(random.nextLong()));
      for (var i = 0; i < 60; i++) {
        keys.add(new WorkKey("cluster-" + i % 5, "ns", "key-" + i));
      }
    }

    void run() throws Exception {
      try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        var workers = start(executor, 12, this::work);
        try {
          for (var producer : start(executor, 4, this::produce)) {
            producer.get();
          }
          Awaitility.await("each key was run after the last time it was wanted")
              .atMost(Duration.ofSeconds(20))
              .pollInterval(Duration.ofMillis(5))
              .until(this::allSeen);
        } finally {
          queue.close();
        }
        for (var worker : workers) {
          worker.get();
        }
      }
      assertThat(violations).isEmpty();
    }

    private interface Part {
      int play(Random mine) throws Exception;
    }

    private List<Future<Integer>> start(ExecutorService executor, int count, Part part) {
      var all = new ArrayList<Future<Integer>>();
      for (var i = 0; i < count; i++) {
        var seed = random.nextLong();
        all.add(executor.submit(() -> part.play(new Random(seed))));
      }
      return all;
    }

    private boolean allSeen() {
      return wanted.entrySet().stream()
          .allMatch(entry -> seen.getOrDefault(entry.getKey(), 0) == entry.getValue().get());
    }

    private int produce(Random mine) {
      for (var i = 0; i < 3000; i++) {
        var key = keys.get(mine.nextInt(keys.size()));
        count(wanted, key).incrementAndGet();
        if (mine.nextInt(5) == 0) {
          queue.addAfter(key, Duration.ofNanos(mine.nextInt(3_000_000)));
        } else {
          queue.add(key);
        }
        if (mine.nextInt(200) == 0) {
          queue.park(key.cluster());
          queue.unpark(key.cluster());
        }
      }
      return 0;
    }

    private int work(Random mine) throws InterruptedException {
      for (var next = queue.take(); next.isPresent(); next = queue.take()) {
        var key = next.get().key();
        enter(key, 1);
        enter(key.cluster(), LIMITS.perCluster());
        enter("all", LIMITS.total());
        seen.put(key, count(wanted, key).get());
        if (mine.nextInt(4) == 0) {
          LockSupport.parkNanos(mine.nextInt(200_000));
        }
        List.of(key, key.cluster(), "all").forEach(what -> count(busy, what).decrementAndGet());
        end(key, mine.nextInt(8));
      }
      return 0;
    }

    private void end(WorkKey key, int how) {
      switch (how) {
        case 0 -> queue.retry(key);
        case 1 -> queue.putBack(key);
        case 2 -> queue.requeue(key, Duration.ofMillis(1));
        default -> queue.done(key);
      }
    }

    private void enter(Object what, int limit) {
      var now = count(busy, what).incrementAndGet();
      if (now > limit) {
        violations.add("%s: %d at once".formatted(what, now));
      }
    }

    private static <K> AtomicInteger count(Map<K, AtomicInteger> counts, K what) {
      return counts.computeIfAbsent(what, _ -> new AtomicInteger());
    }
  }
}
