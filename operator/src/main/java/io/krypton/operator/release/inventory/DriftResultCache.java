// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.operator.release.inventory.DriftCheck.DriftResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the server said about objects. It holds until the object or its release changes; a refusal,
 * whose cause may lie elsewhere, is asked about again after a growing pause.
 */
final class DriftResultCache {
  private static final Duration INITIAL_DELAY = Duration.ofSeconds(30);
  private static final Duration MAX_DELAY = Duration.ofMinutes(30);

  private final InstantSource clock;
  private final Map<ObjectRef, Entry> entries = new ConcurrentHashMap<>();

  private record Entry(String version, DriftResult result, int rejections, Instant expiresAt) {}

  DriftResultCache(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * The state of an object that a verdict is about. A new status is no new state, for kinds that
   * count generations; those do not count metadata, so it is part of the state.
   */
  static String stateKey(ObjectMeta metadata, String revision) {
    var spec =
        metadata.getGeneration() == null
            ? metadata.getResourceVersion()
            : "%d/%08x%08x%08x"
                .formatted(
                    metadata.getGeneration(),
                    Objects.hashCode(metadata.getLabels()),
                    Objects.hashCode(metadata.getAnnotations()),
                    Objects.hash(metadata.getOwnerReferences(), metadata.getFinalizers()));
    return "%s@%s in %s".formatted(metadata.getUid(), spec, revision);
  }

  /** Empty if the server has to be asked. */
  Optional<DriftResult> get(ObjectRef ref, String version) {
    return Optional.ofNullable(entries.get(ref))
        .filter(entry -> entry.version().equals(version))
        .filter(entry -> clock.instant().isBefore(entry.expiresAt()))
        .map(Entry::result);
  }

  void put(ObjectRef ref, String version, DriftResult driftResult) {
    entries.compute(
        ref,
        (key, before) -> {
          if (!(driftResult instanceof DriftResult.Rejected)) {
            return new Entry(version, driftResult, 0, Instant.MAX);
          }
          var refusals =
              before != null && before.version().equals(version) ? before.rejections() + 1 : 1;
          return new Entry(version, driftResult, refusals, clock.instant().plus(delay(refusals)));
        });
  }

  private static Duration delay(int refusals) {
    var pause = INITIAL_DELAY.multipliedBy(1L << Math.min(refusals - 1, 10));
    return pause.compareTo(MAX_DELAY) < 0 ? pause : MAX_DELAY;
  }

  void forget(Collection<ObjectRef> refs) {
    refs.forEach(entries::remove);
  }
}
