// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.hotpath;

import io.krypton.base.time.Backoff;
import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
import io.krypton.multicluster.queue.WorkQueue.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One key through the queue while others wait: added, taken, done. */
@State(Scope.Thread)
public class QueueBenchmark {
  @Param({"10", "1000", "10000"})
  int waiting;

  private WorkQueue queue = queue();
  private List<WorkKey> keys = List.of();
  private int next;

  private static WorkQueue queue() {
    return new WorkQueue(
        new ConcurrencyLimits(32, 16),
        Backoff.STANDARD,
        System::nanoTime,
        RandomGenerator.of("L64X128MixRandom"));
  }

  @Setup
  public void fill() {
    queue = queue();
    keys =
        new ArrayList<>(
            IntStream.range(0, waiting)
                .mapToObj(i -> new WorkKey("cluster-" + i % 10, "default", "tenant-" + i))
                .toList());
    keys.forEach(queue::add);
  }

  @Benchmark
  public Optional<WorkItem> add_take_and_end() {
    queue.add(keys.get(next++ % waiting));
    var taken = queue.poll();
    taken.ifPresent(
        it -> {
          queue.done(it.key());
          queue.add(it.key());
        });
    return taken;
  }
}
