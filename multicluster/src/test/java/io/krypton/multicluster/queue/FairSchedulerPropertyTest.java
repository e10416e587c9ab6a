// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.time.Backoff;
import io.krypton.multicluster.queue.WorkQueue.QueueState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Random operations in virtual time, each compared with {@link FairSchedulerModel}. */
class FairSchedulerPropertyTest {
  private static final Set<String> CLUSTERS = Set.of("a", "b", "c", "d");

  private final FakeNanos clock = new FakeNanos();

  @Test
  void whatever_happens_the_queue_agrees_with_its_model() throws Exception {
    Seeded.runs(300, random -> new Walk(random).go(400));
  }

  private final class Walk {
    private final Random random;
    private final FairSchedulerModel model;
    private final WorkQueue queue;

    Walk(Random random) {
      this.random = random;
      var perCluster = 1 + random.nextInt(3);
      this.model =
          new FairSchedulerModel(new ConcurrencyLimits(perCluster + random.nextInt(5), perCluster));
      var exponentialBackoff = Backoff.doubling(Duration.ofSeconds(5), Duration.ofSeconds(300));
      this.queue = new WorkQueue(model.limits, exponentialBackoff, clock, random);
    }

    void go(int steps) {
      for (var i = 0; i < steps; i++) {
        step();
        model.forgiveThoseThatDoNotWait(clock.getAsLong());
        assertThat(queue.state().running()).isEqualTo(model.running.size());
      }
      workUntilQuiet();
      assertThat(model.wanted).as("wanted but never handed out").isEmpty();
      assertThat(queue.state()).isEqualTo(new QueueState(0, 0, 0, 0, Duration.ZERO));
    }

    private void step() {
      var key = anyKey();
      switch (random.nextInt(14)) {
        case 0, 1, 2 -> {
          queue.add(key);
          model.want(key, clock.getAsLong());
        }
        case 3, 4 -> {
          var pause = Duration.ofMillis(random.nextInt(20_000));
          queue.addAfter(key, pause);
          model.want(key, clock.getAsLong() + pause.toNanos());
        }
        case 5, 6, 7 -> poll();
        case 8, 9 -> endOne();
        case 10 -> clock.advance(Duration.ofMillis(random.nextInt(30_000)));
        case 11 -> {
          queue.park(key.cluster());
          model.parked.add(key.cluster());
        }
        case 12 -> unpark(key.cluster());
        default -> dropOrForget(key);
      }
    }

    private void dropOrForget(WorkKey key) {
      if (random.nextInt(5) == 0) {
        queue.drop(key.cluster());
        model.abandon(other -> other.cluster().equals(key.cluster()));
        model.parked.remove(key.cluster());
      } else if (random.nextBoolean()) {
        queue.forget(key);
        model.abandon(key::equals);
      } else {
        queue.resetBackoff(key);
        model.failures.remove(key);
      }
    }

    private void unpark(String cluster) {
      queue.unpark(cluster);
      if (model.parked.remove(cluster)) {
        model.failures.keySet().stream()
            .filter(key -> key.cluster().equals(cluster) && !model.running.contains(key))
            .forEach(key -> model.want(key, clock.getAsLong()));
      }
    }

    private boolean poll() {
      var now = clock.getAsLong();
      var next = queue.poll();
      if (next.isEmpty()) {
        assertThat(model.anyEligible(now)).as("a key is due, but none comes").isFalse();
        return false;
      }
      var key = next.get().key();
      assertThat(model.isEligible(key, now)).as("%s was not to be handed out", key).isTrue();
      assertThat(next.get().failures()).isEqualTo(model.failures.getOrDefault(key, 0));
      model.handedOut(key, CLUSTERS);
      model.forgiveThoseThatDoNotWait(now);
      assertThat(model.passedOver.values())
          .as("turns that a cluster with due keys had to let pass")
          .allMatch(turns -> turns < CLUSTERS.size());
      return true;
    }

    private void pollAll() {
      var more = true;
      while (more) {
        more = poll();
      }
    }

    private void endOne() {
      if (!model.running.isEmpty()) {
        end(anyOf(model.running), random.nextInt(4));
      }
    }

    private void end(WorkKey key, int how) {
      var now = clock.getAsLong();
      var disowned = model.disowned.contains(key);
      model.ended(key);
      switch (how) {
        case 0 -> {
          queue.done(key);
          model.failures.remove(key);
        }
        case 1 -> {
          queue.requeue(key, Duration.ofSeconds(3));
          model.failures.remove(key);
          if (!disowned) {
            model.want(key, now + Duration.ofSeconds(3).toNanos());
          }
        }
        case 2 -> {
          queue.putBack(key);
          if (!disowned) {
            model.want(key, now);
          }
        }
        case 3 -> {
          queue.postpone(key, Duration.ofSeconds(2));
          if (!disowned) {
            model.want(key, now + Duration.ofSeconds(2).toNanos());
          }
        }
        default -> {
          var retry = queue.retry(key);
          if (!disowned) {
            assertThat(retry.failures()).isEqualTo(model.failures.merge(key, 1, Integer::sum));
            model.want(key, now + retry.delay().toNanos());
          }
        }
      }
    }

    private void workUntilQuiet() {
      CLUSTERS.forEach(this::unpark);
      for (var rounds = 0; rounds < 1000 && !isQuiet(); rounds++) {
        pollAll();
        List.copyOf(model.running).forEach(key -> end(key, 0));
        clock.advance(Duration.ofSeconds(10));
      }
    }

    private boolean isQuiet() {
      return model.wanted.isEmpty() && model.running.isEmpty();
    }

    private WorkKey anyKey() {
      return new WorkKey(anyOf(CLUSTERS), "ns", "key-" + random.nextInt(4));
    }

    private <T> T anyOf(Collection<T> all) {
      return new ArrayList<>(all).get(random.nextInt(all.size()));
    }
  }
}
