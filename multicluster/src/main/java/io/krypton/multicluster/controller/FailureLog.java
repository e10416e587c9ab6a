package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.queue.NextTry;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.watch.Streak;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs failures of keys: each when its class is new, then ever more seldom with a count. */
final class FailureLog {
  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final Map<WorkKey, Streak> streaks = new ConcurrentHashMap<>();

  /** Counts a failure, while the key is not free for the next run yet. */
  Streak count(WorkKey key, Outcome.Retry failure) {
    var streak = streaks.getOrDefault(key, Streak.NONE).next(failure.reason());
    streaks.put(key, streak);
    return streak;
  }

  void tell(Streak streak, Outcome.Retry failure, NextTry next) {
    if (!streak.isWorthALine()) {
      return;
    }
    var bug = isBug(failure.cause());
    var line = log.atLevel(bug ? Level.ERROR : Level.WARN);
    if (bug) {
      line = line.setCause(failure.cause());
    }
    line.addKeyValue("reason", failure.reason())
        .addKeyValue("count", streak.count())
        .addKeyValue("failures", next.failures())
        .addKeyValue("retryInMillis", next.delay().toMillis())
        .log("reconcile failed, it will be tried again: {}", failure.message());
  }

  void ended(WorkKey key) {
    var streak = streaks.remove(key);
    if (streak != null) {
      log.atInfo().addKeyValue("reason", streak.reason()).log("reconcile succeeds again");
    }
  }

  void forget(String cluster) {
    streaks.keySet().removeIf(key -> key.cluster().equals(cluster));
  }

  /** What a cluster or a network may do to us is expected; other unchecked exceptions are ours. */
  private static boolean isBug(@Nullable Throwable cause) {
    return cause instanceof Error
        || (cause instanceof RuntimeException
            && !(cause instanceof KubernetesClientException)
            && !(cause instanceof UncheckedIOException));
  }
}
