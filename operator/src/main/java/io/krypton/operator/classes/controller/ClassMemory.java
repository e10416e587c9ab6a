// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.tenantclass.TenantClass;
import io.krypton.operator.classes.decide.DeciderMemory;
import io.krypton.operator.classes.revision.ClassRevision;
import io.krypton.operator.classes.revision.Revisions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this term of leadership knows of one class: its stored revisions, and what was measured. For
 * the one worker that reconciles the class, and for metrics.
 */
final class ClassMemory {
  private final String uid;
  private volatile Revisions revisions;
  private volatile RolloutStep.@Nullable Taken last;
  private boolean adoptedFlags;

  ClassMemory(String uid, Revisions revisions) {
    this.uid = uid;
    this.revisions = revisions;
  }

  /** Whether it is about this very object, and not about one of the same name before. */
  boolean isOf(TenantClass tenantClass) {
    return uid.equals(tenantClass.getMetadata().getUid());
  }

  Revisions revisions() {
    return revisions;
  }

  void add(ClassRevision revision) {
    revisions = revisions.with(revision);
  }

  void drop(Set<Integer> numbers) {
    revisions = revisions.without(numbers);
  }

  /** The first revision is what flags have rolled out. */
  void adoptedFlags() {
    adoptedFlags = true;
  }

  /** What everybody gets whom no rollout moves; null if there is nothing yet. */
  @Nullable ClassRevision stable(TenantClass tenantClass) {
    var stored = revisions.find(tenantClass.getStatus().stable());
    return stored == null && adoptedFlags && tenantClass.getStatus().stable() == null
        ? revisions.all().getFirst()
        : stored;
  }

  /** What was measured for this rollout. */
  DeciderMemory of(String rollout) {
    var known = last;
    return known != null && known.rollout().getMetadata().getName().equals(rollout)
        ? known.decision().memory()
        : DeciderMemory.EMPTY;
  }

  void decided(RolloutStep.Taken taken) {
    last = taken;
  }

  /** The last decision; null if there was none. */
  RolloutStep.@Nullable Taken last() {
    return last;
  }

  /** It was not stored, so it counts for nothing. */
  void forgetDecision() {
    last = null;
  }
}
