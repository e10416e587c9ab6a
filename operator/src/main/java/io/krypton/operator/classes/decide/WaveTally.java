// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.operator.classes.decide.TargetAssessment.Standing;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The targets of one wave, counted in one pass, and as many of those that wait as may begin. */
final class WaveTally {
  private final int maxConcurrent;
  private final Map<Standing, Integer> standings = new EnumMap<>(Standing.class);
  private final Map<RolloutTargetState, Integer> states = new EnumMap<>(RolloutTargetState.class);
  private final List<TargetKey> candidates = new ArrayList<>();
  private final List<TargetKey> promoted = new ArrayList<>();
  private int updated;
  private int held;

  WaveTally(int maxConcurrent) {
    this.maxConcurrent = maxConcurrent;
  }

  void add(Standing standing, RolloutTargetState state, boolean isUpdated) {
    standings.merge(standing, 1, Integer::sum);
    states.merge(state, 1, Integer::sum);
    if (isUpdated) {
      updated++;
    }
  }

  /** Keeps who may begin; of more than fit nobody is remembered. */
  void addCandidate(ObservedTarget target, boolean isHeld) {
    if (isHeld) {
      held++;
    } else if (target.wishes().promoted()) {
      addTo(promoted, target);
    } else {
      addTo(candidates, target);
    }
  }

  private void addTo(List<TargetKey> some, ObservedTarget target) {
    if (some.size() < maxConcurrent) {
      some.add(target.key());
    }
  }

  /** Who is told to update now: who was promoted, then, if all may, as many as there are slots. */
  List<TargetKey> admit(boolean all) {
    var admitted = new ArrayList<TargetKey>();
    int free = maxConcurrent - inFlight();
    for (var target : promoted) {
      if (free > 0) {
        admitted.add(target);
        free--;
      }
    }
    if (all) {
      for (var target : candidates) {
        if (free > 0) {
          admitted.add(target);
          free--;
        }
      }
    }
    return admitted;
  }

  private int count(Standing standing) {
    return standings.getOrDefault(standing, 0);
  }

  /** Without those that are skipped, or not installed yet. */
  int total() {
    return waiting()
        + unreachable()
        + inFlight()
        + ready()
        + count(Standing.DEGRADED_LATER)
        + failed()
        + alreadyFailing();
  }

  int updated() {
    return updated;
  }

  int waiting() {
    return count(Standing.WAITING);
  }

  /** Those of the waiting whose cluster's KMS is degraded. */
  int held() {
    return held;
  }

  int unreachable() {
    return count(Standing.UNREACHABLE);
  }

  int inFlight() {
    return count(Standing.IN_FLIGHT);
  }

  int ready() {
    return count(Standing.READY);
  }

  int failed() {
    return count(Standing.FAILED);
  }

  int alreadyFailing() {
    return count(Standing.ALREADY_FAILING);
  }

  int skipped() {
    return count(Standing.SKIPPED);
  }

  /** Nothing is left to do but for clusters that do not answer. */
  boolean isSettled() {
    return waiting() == 0 && inFlight() == 0;
  }

  Map<RolloutTargetState, Integer> states() {
    return Map.copyOf(states);
  }
}
