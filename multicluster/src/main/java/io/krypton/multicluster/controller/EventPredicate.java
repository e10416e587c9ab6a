// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Filters changes. The given predicates pass every created and deleted object. */
@FunctionalInterface
public interface EventPredicate<T> {
  boolean test(@Nullable T before, @Nullable T after);

  static <T> EventPredicate<T> everyChange() {
    return (_, _) -> true;
  }

  /** A new generation, i.e. a new spec. For kinds without generation, every change. */
  static <T extends HasMetadata> EventPredicate<T> generationChanged() {
    return (before, after) ->
        before == null
            || after == null
            || isNewGeneration(before.getMetadata(), after.getMetadata());
  }

  /**
   * Changes of spec, labels, annotations, finalizers, owners and deletion. Not of the status: a
   * controller must not be triggered by its own status writes.
   */
  static <T extends HasMetadata> EventPredicate<T> ignoringStatus() {
    return (before, after) ->
        before == null
            || after == null
            || isNewGeneration(before.getMetadata(), after.getMetadata())
            || isNewMetadata(before.getMetadata(), after.getMetadata());
  }

  private static boolean isNewGeneration(ObjectMeta before, ObjectMeta after) {
    return after.getGeneration() == null
        ? !Objects.equals(before.getResourceVersion(), after.getResourceVersion())
        : !after.getGeneration().equals(before.getGeneration())
            || !Objects.equals(before.getUid(), after.getUid());
  }

  private static boolean isNewMetadata(ObjectMeta before, ObjectMeta after) {
    return !Objects.equals(before.getLabels(), after.getLabels())
        || !Objects.equals(before.getAnnotations(), after.getAnnotations())
        || !Objects.equals(before.getFinalizers(), after.getFinalizers())
        || !Objects.equals(before.getOwnerReferences(), after.getOwnerReferences())
        || !Objects.equals(before.getDeletionTimestamp(), after.getDeletionTimestamp());
  }
}
