package io.krypton.operator.rollout;

import io.krypton.operator.manifest.Names;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Situation.Change;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Decides whether workloads are ready, may still take their time, or have taken too long. */
final class Readiness {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(5);

  private final Duration timeout;
  private final Clock clock;
  private final Map<String, Instant> waitingSince = new ConcurrentHashMap<>();

  Readiness(Duration timeout, Clock clock) {
    this.timeout = timeout;
    this.clock = clock;
  }

  Situation judge(String cluster, DeployedRelease release, Change change, Findings findings) {
    var key = key(cluster, release.namespace(), release.name());
    if (!findings.broken().isEmpty()) {
      return tooLong(release, findings.broken());
    }
    if (findings.pending().isEmpty() && findings.complete()) {
      waitingSince.remove(key);
      return new Situation.Deployed(change, release);
    }
    if (change == Change.INSTALLED || change == Change.UPGRADED) {
      waitingSince.remove(key);
    } else if (!findings.complete()) {
      return new Situation.StillLooking(release); // What was said about it before may well hold.
    }
    var since = waitingSince.computeIfAbsent(key, absent -> clock.instant());
    var left = Duration.between(clock.instant(), since.plus(timeout));
    if (findings.pending().isEmpty()) {
      return new Situation.WorkloadsPending(change, release, List.of(), LOOK_AGAIN);
    }
    return left.isPositive()
        ? new Situation.WorkloadsPending(change, release, findings.pending(), left)
        : tooLong(release, findings.pending());
  }

  void forget(String cluster, String namespace, ReleaseName release) {
    waitingSince.remove(key(cluster, namespace, release));
  }

  void forgetCluster(String cluster) {
    waitingSince.keySet().removeIf(key -> isOn(cluster, key));
  }

  /**
   * Whether a key is {@code <cluster>/<namespace>/<release>}; a cluster's name may have a slash.
   */
  static boolean isOn(String cluster, String key) {
    return key.startsWith(cluster + "/")
        && key.indexOf('/', cluster.length() + 1) == key.lastIndexOf('/');
  }

  private static String key(String cluster, String namespace, ReleaseName release) {
    return cluster + "/" + namespace + "/" + release;
  }

  private static Situation tooLong(DeployedRelease release, List<String> workloads) {
    return new Situation.Failed(
        Problem.WORKLOADS_NOT_READY,
        "Workloads of release %s not ready: %s".formatted(release.name(), Names.list(workloads)));
  }
}
