// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of one release of a class when a decision is taken. Nothing else about it is
 * remembered, so a new leader decides as the old one would.
 *
 * @param placement null while no release is installed
 */
public record ObservedTarget(
    TargetKey key,
    Map<String, String> labels,
    Wishes wishes,
    OnCluster cluster,
    @Nullable Placement placement,
    Readiness readiness) {

  public ObservedTarget {
    labels = Map.copyOf(labels);
  }

  /** Whether its release is of the revision with this hash, ready or not. */
  boolean isOn(@Nullable String revision) {
    return placement != null && placement.revision.equals(revision);
  }

  /** Whether Ready was seen for what the release holds now. */
  boolean isReady() {
    return placement != null && placement.current && readiness.health == Health.READY;
  }

  /** No rollout touches it. */
  boolean isSkipped() {
    return wishes.deleting || wishes.suspended || wishes.pin != null;
  }

  /**
   * What its users ask.
   *
   * @param promoted it is to get the revision of this very rollout ahead of its wave
   */
  public record Wishes(
      boolean deleting, boolean suspended, @Nullable String pin, boolean promoted) {
    public static final Wishes NONE = new Wishes(false, false, null, false);
  }

  /**
   * Its cluster.
   *
   * @param labels of the kubeconfig Secret
   */
  public record OnCluster(Map<String, String> labels, boolean reachable, boolean kmsDegraded) {
    public OnCluster {
      labels = Map.copyOf(labels);
    }
  }

  /**
   * Its release.
   *
   * @param revision hash of the class's revision that it was made of
   * @param arrivedAt when it came to this revision, which a later change of its values does not
   *     move
   * @param updatedAt when Helm last changed it, or began to
   * @param current its fingerprint is that of this revision with the values that the object has
   *     today; not so between an edit of these and the Helm run for it
   */
  public record Placement(String revision, Instant arrivedAt, Instant updatedAt, boolean current) {}

  /**
   * How it is.
   *
   * @param notReadySince when the condition Ready last left True; null while it is True
   * @param reason of that condition, for the list of failures
   */
  public record Readiness(Health health, @Nullable Instant notReadySince, String reason) {
    public static final Readiness READY = new Readiness(Health.READY, null, "");
  }

  /** What its conditions say. */
  public enum Health {
    READY,
    NOT_READY,
    /** Not ready, and Stalled: only a change helps, or it failed again and again. */
    STALLED
  }
}
