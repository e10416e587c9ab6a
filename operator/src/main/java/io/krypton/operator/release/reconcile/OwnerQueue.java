// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.api.Annotations;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.multicluster.controller.Controller;
import io.krypton.multicluster.controller.EventPredicate;
import io.krypton.multicluster.queue.WorkKey;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Enqueues owners of one kind when something that their release depends on changes. */
public record OwnerQueue(Controller controller) implements ReferencedValues.ValuesListener {

  @Override
  public void changed(WorkKey reader) {
    controller.enqueueAndResetBackoff(reader);
  }

  @Override
  public void maybeChanged(WorkKey reader) {
    controller.enqueueAfterBackoff(reader);
  }

  /**
   * The chart that this owner waits for was loaded, or not.
   *
   * @param loaded past failures are forgotten
   */
  public void chartChanged(WorkKey waiter, boolean loaded) {
    if (loaded) {
      controller.enqueueAndResetBackoff(waiter);
    } else {
      controller.enqueue(waiter);
    }
  }

  public static WorkKey key(String cluster, HasMetadata owner) {
    return new WorkKey(cluster, owner.getMetadata().getNamespace(), owner.getMetadata().getName());
  }

  /** A new spec, or a request by annotation: what failed before may work now. */
  public static <T extends HasMetadata> boolean resetsBackoff(
      @Nullable T before, @Nullable T after) {
    return before == null
        || after == null
        || EventPredicate.<T>generationChanged().test(before, after)
        || differ(before, after, Annotations.REQUESTED_AT)
        || differ(before, after, Annotations.FORCE_AT);
  }

  private static boolean differ(HasMetadata before, HasMetadata after, String annotation) {
    return !Objects.equals(
        OwnerWriter.annotation(before, annotation), OwnerWriter.annotation(after, annotation));
  }

  /**
   * How many owners of a group are in a phase.
   *
   * @param group a cluster or a region
   */
  public record PhaseCount(String group, RolloutPhase phase, long count) {}

  /** Counts each object once, and names each phase of each group. */
  public static final class PhaseCounter {
    private final Map<String, Map<RolloutPhase, Long>> groups = new TreeMap<>();

    /** A group counts zero until an owner is added to it. */
    public void addGroup(String group) {
      groups.computeIfAbsent(group, first -> new EnumMap<>(RolloutPhase.class));
    }

    /**
     * Counts one owner.
     *
     * @param phase null as long as there is no status
     */
    public void add(String group, @Nullable RolloutPhase phase) {
      groups
          .computeIfAbsent(group, first -> new EnumMap<>(RolloutPhase.class))
          .merge(Objects.requireNonNullElse(phase, RolloutPhase.PENDING), 1L, Long::sum);
    }

    public List<PhaseCount> counts() {
      var counts = new ArrayList<PhaseCount>();
      groups.forEach(
          (group, phases) -> {
            for (var phase : RolloutPhase.values()) {
              counts.add(new PhaseCount(group, phase, phases.getOrDefault(phase, 0L)));
            }
          });
      return counts;
    }
  }
}
