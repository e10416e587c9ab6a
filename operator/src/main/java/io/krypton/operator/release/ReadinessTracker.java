// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.ReleaseName;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Decides whether workloads are ready, may still take their time, or have taken too long. */
final class ReadinessTracker {
  private static final Duration RECHECK_DELAY = Duration.ofSeconds(5);

  private final Duration timeout;
  private final Clock clock;
  private final Map<String, Instant> waitingSince = new ConcurrentHashMap<>();

  ReadinessTracker(Duration timeout, Clock clock) {
    this.timeout = timeout;
    this.clock = clock;
  }

  RolloutResult evaluate(
      String cluster, DeployedRelease release, Change change, InspectionResult inspectionResult) {
    var key = key(cluster, release.namespace(), release.name());
    if (!inspectionResult.failed().isEmpty()) {
      return notReady(release, inspectionResult.failed());
    }
    if (inspectionResult.pending().isEmpty() && inspectionResult.complete()) {
      waitingSince.remove(key);
      return new RolloutResult.Deployed(change, release);
    }
    if (change == Change.INSTALLED || change == Change.UPGRADED) {
      waitingSince.remove(key);
    } else if (!inspectionResult.complete()) {
      return new RolloutResult.CachesNotSynced(
          release); // What was said about it before may well hold.
    }
    var since = waitingSince.computeIfAbsent(key, absent -> clock.instant());
    var left = Duration.between(clock.instant(), since.plus(timeout));
    if (inspectionResult.pending().isEmpty()) {
      return new RolloutResult.WorkloadsPending(change, release, List.of(), RECHECK_DELAY);
    }
    return left.isPositive()
        ? new RolloutResult.WorkloadsPending(change, release, inspectionResult.pending(), left)
        : notReady(release, inspectionResult.pending());
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

  private static RolloutResult notReady(DeployedRelease release, List<String> workloads) {
    return new RolloutResult.Failed(
        FailureReason.WORKLOADS_NOT_READY,
        "Workloads of release %s not ready: %s"
            .formatted(release.name(), MessageText.list(workloads)));
  }
}
