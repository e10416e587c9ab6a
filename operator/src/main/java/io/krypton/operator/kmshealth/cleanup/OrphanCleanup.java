// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import io.krypton.base.time.Backoff;
import io.krypton.operator.kmshealth.cleanup.OrphanRemover.Removal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes orphaned reports and Leases. A node whose removal fails is retried with back-off and does
 * not delay others.
 */
public final class OrphanCleanup {
  private static final Logger log = LoggerFactory.getLogger(OrphanCleanup.class);
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2);

  private final String cluster;
  private final Supplier<Duration> uptime;
  private final RandomGenerator random;
  private final Map<String, Failed> failures = new ConcurrentHashMap<>();

  /** What happened to one node so far. */
  private record Failed(int times, Duration retryAt, String why) {}

  /**
   * One round over all orphans.
   *
   * @param removed of which nothing is left
   * @param requeueAfter until the next one that failed is due; empty if none did
   */
  public record Result(List<String> removed, Optional<Duration> requeueAfter) {}

  public OrphanCleanup(String cluster, Supplier<Duration> uptime, RandomGenerator random) {
    this.cluster = cluster;
    this.uptime = uptime;
    this.random = random;
  }

  public Result cleanUp(Collection<String> orphans, Function<String, Removal> remover) {
    failures.keySet().retainAll(orphans);
    var removed = new ArrayList<String>();
    for (var node : orphans) {
      if (isDue(node)) {
        switch (remover.apply(node)) {
          case Removal.Done done -> {
            failures.remove(node);
            removed.add(node);
          }
          case Removal.Unfinished(var why) -> postpone(node, why);
        }
      }
    }
    return new Result(removed, requeueAfter());
  }

  private boolean isDue(String node) {
    var failed = failures.get(node);
    return failed == null || failed.retryAt().compareTo(uptime.get()) <= 0;
  }

  private void postpone(String node, String why) {
    var before = failures.get(node);
    var times = before == null ? 1 : before.times() + 1;
    failures.put(node, new Failed(times, uptime.get().plus(BACKOFF.delay(times, random)), why));
    if (before == null || !before.why().equals(why)) {
      log.atWarn()
          .addKeyValue("cluster", cluster)
          .addKeyValue("node", node)
          .log("cannot remove orphaned report, retrying: {}", why);
    }
  }

  private Optional<Duration> requeueAfter() {
    return failures.values().stream()
        .map(Failed::retryAt)
        .min(Duration::compareTo)
        .map(at -> at.minus(uptime.get()));
  }
}
