package io.krypton.operator.deployed;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.operator.deployed.DriftCheck.Answer;
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
final class Verdicts {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(30);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(30);

  private final InstantSource clock;
  private final Map<ObjectRef, Verdict> verdicts = new ConcurrentHashMap<>();

  private record Verdict(String version, Answer answer, int refusals, Instant askAgain) {}

  Verdicts(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * The state of an object that a verdict is about. A new status is no new state, for kinds that
   * count generations; those do not count metadata, so it is part of the state.
   */
  static String version(ObjectMeta metadata, String revision) {
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
  Optional<Answer> about(ObjectRef ref, String version) {
    return Optional.ofNullable(verdicts.get(ref))
        .filter(verdict -> verdict.version().equals(version))
        .filter(verdict -> clock.instant().isBefore(verdict.askAgain()))
        .map(Verdict::answer);
  }

  void put(ObjectRef ref, String version, Answer answer) {
    verdicts.compute(
        ref,
        (key, before) -> {
          if (!(answer instanceof Answer.Refused)) {
            return new Verdict(version, answer, 0, Instant.MAX);
          }
          var refusals =
              before != null && before.version().equals(version) ? before.refusals() + 1 : 1;
          return new Verdict(version, answer, refusals, clock.instant().plus(pause(refusals)));
        });
  }

  private static Duration pause(int refusals) {
    var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(refusals - 1, 10));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  void forget(Collection<ObjectRef> refs) {
    refs.forEach(verdicts::remove);
  }
}
