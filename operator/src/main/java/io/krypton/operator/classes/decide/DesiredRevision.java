// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.api.tenantclass.RolloutPolicy.NewTenants;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which revision a target gets, by the cursor of the active rollout; pure.
 *
 * <p>Nobody is moved by it but to the target revision, and back in a rollback: who is on a third
 * revision, of a rollout that was superseded or aborted, stays there until its wave comes.
 */
public final class DesiredRevision {
  private final RolloutInput input;
  private final WavePlan plan;
  private final RolloutCursor cursor;
  private final TargetAssessment assessment;
  private final DeciderMemory memory;
  private final boolean windowIsOpen;

  DesiredRevision(
      RolloutInput input,
      WavePlan plan,
      RolloutCursor cursor,
      TargetAssessment assessment,
      DeciderMemory memory,
      boolean windowIsOpen) {
    this.input = input;
    this.plan = plan;
    this.cursor = cursor;
    this.assessment = assessment;
    this.memory = memory;
    this.windowIsOpen = windowIsOpen;
  }

  /** What a release is made of. */
  public sealed interface Desired {
    record Use(Revision revision) implements Desired {}

    /**
     * The revision stays what it is. Values of the object itself are applied to it all the same,
     * and drift is repaired, unless the reason is {@link StayReason#SUSPENDED} or {@link
     * StayReason#DELETING}. What is not installed waits.
     */
    record Stay(StayReason reason) implements Desired {}
  }

  /** Which one; {@code PIN} is the stable revision with another chart version. */
  public enum Revision {
    TARGET,
    STABLE,
    PIN
  }

  /** Why a release is not touched. */
  public enum StayReason {
    DELETING,
    SUSPENDED,
    UNREACHABLE,
    /** Its wave has not come, or has no free slot. */
    WAITING,
    WINDOW_CLOSED,
    /** {@code requireKmsHealthy}, and its cluster says KMSPluginsDegraded. */
    KMS_DEGRADED,
    PLANNED,
    PAUSED,
    HALTED,
    /** The waves go back, and its wave has not come. */
    ROLLING_BACK,
    /** The rollout was aborted or superseded, and this release is not on the stable revision. */
    ENDED
  }

  /** With what the status of its object shows. */
  public record TargetDecision(Desired desired, String wave, RolloutTargetState state) {}

  /** Without an active rollout: everybody is on the stable revision, or on a pin. */
  public static Desired withoutRollout(ObservedTarget target) {
    var early = early(target);
    return early == null ? new Desired.Use(Revision.STABLE) : early;
  }

  public TargetDecision of(ObservedTarget target) {
    int wave = plan.waveOf(target);
    var flight = assessment.flight(target, memory.flights().get(target.key()), Duration.ZERO);
    var standing = assessment.assess(target, wave, flight);
    return new TargetDecision(
        desired(target, wave), plan.name(wave), assessment.state(target, wave, standing));
  }

  private Desired desired(ObservedTarget target, int wave) {
    var early = early(target);
    if (early != null) {
      return early;
    }
    return switch (cursor.phase()) {
      case ABORTED, SUPERSEDED -> afterTheEnd(target);
      default -> cursor.isRollingBack() ? backward(target, wave) : forward(target, wave);
    };
  }

  private static @Nullable Desired early(ObservedTarget target) {
    var wishes = target.wishes();
    if (wishes.deleting()) {
      return new Desired.Stay(StayReason.DELETING);
    }
    if (wishes.suspended()) {
      return new Desired.Stay(StayReason.SUSPENDED);
    }
    return wishes.pin() == null ? null : new Desired.Use(Revision.PIN);
  }

  private Desired afterTheEnd(ObservedTarget target) {
    var isStable = target.isOn(input.fromRevision()) || target.placement() == null;
    return isStable && input.fromRevision() != null
        ? new Desired.Use(Revision.STABLE)
        : new Desired.Stay(StayReason.ENDED);
  }

  private Desired forward(ObservedTarget target, int wave) {
    if (target.isOn(input.toRevision()) || isAdmitted(target)) {
      return new Desired.Use(Revision.TARGET);
    }
    if (target.placement() == null) {
      return firstInstall(wave);
    }
    var isLater = wave > cursor.wave() && !cursor.hasPassed(wave);
    return isLater && target.isOn(input.fromRevision())
        ? new Desired.Use(Revision.STABLE)
        : new Desired.Stay(whyNotYet(target));
  }

  /** Nobody waits for a first install, unless there is nothing that may be installed. */
  private Desired firstInstall(int wave) {
    var nothingIsStable = input.fromRevision() == null;
    return switch (cursor.phase()) {
      case PLANNED ->
          nothingIsStable ? new Desired.Stay(StayReason.PLANNED) : new Desired.Use(Revision.STABLE);
      case HALTED ->
          nothingIsStable ? new Desired.Stay(StayReason.HALTED) : new Desired.Use(Revision.STABLE);
      default -> {
        var targetAtOnce =
            nothingIsStable
                || cursor.hasPassed(wave)
                || input.spec().newTenants() == NewTenants.TARGET;
        yield new Desired.Use(targetAtOnce ? Revision.TARGET : Revision.STABLE);
      }
    };
  }

  private Desired backward(ObservedTarget target, int wave) {
    if (target.placement() == null || target.isOn(input.fromRevision()) || isAdmitted(target)) {
      return new Desired.Use(Revision.STABLE);
    }
    var isLater = wave < cursor.wave() && !cursor.hasPassed(wave);
    return new Desired.Stay(isLater ? StayReason.ROLLING_BACK : whyNotYet(target));
  }

  private boolean isAdmitted(ObservedTarget target) {
    return memory.flights().containsKey(target.key());
  }

  private StayReason whyNotYet(ObservedTarget target) {
    if (!target.cluster().reachable()) {
      return StayReason.UNREACHABLE;
    }
    return switch (cursor.phase()) {
      case PLANNED -> StayReason.PLANNED;
      case PAUSED -> StayReason.PAUSED;
      case HALTED -> StayReason.HALTED;
      default -> {
        if (cursor.isRollingBack()) {
          yield StayReason.WAITING;
        }
        if (assessment.isHeld(target)) {
          yield StayReason.KMS_DEGRADED;
        }
        yield windowIsOpen ? StayReason.WAITING : StayReason.WINDOW_CLOSED;
      }
    };
  }
}
