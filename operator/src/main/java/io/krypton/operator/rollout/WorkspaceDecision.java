package io.krypton.operator.rollout;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** What to do about the namespace that a release goes to; decided from its metadata alone. */
public sealed interface WorkspaceDecision {

  record Create() implements WorkspaceDecision {}

  /** {@code owned}: we made it for this owner, so it goes with it. */
  record Use(boolean owned) implements WorkspaceDecision {}

  /** Made for an earlier object of the same name that is gone. */
  record TakeOver() implements WorkspaceDecision {}

  record AwaitTermination() implements WorkspaceDecision {}

  /** Belongs to another living object. */
  record Conflict(String owner) implements WorkspaceDecision {}

  /**
   * Decides about a namespace, which may be absent.
   *
   * @param lives whether the object with this reference and this UID exists
   */
  static WorkspaceDecision about(
      @Nullable ObjectMeta namespace, Owner owner, BiPredicate<String, String> lives) {
    if (namespace == null) {
      return new Create();
    }
    if (namespace.getDeletionTimestamp() != null) {
      return new AwaitTermination();
    }
    var uid = valueOf(namespace.getLabels(), Labels.OWNER_UID);
    var reference = valueOf(namespace.getAnnotations(), Annotations.OWNER);
    if (owner.uid().equals(uid)) {
      return new Use(true);
    }
    if (uid == null || reference == null) {
      return new Use(false);
    }
    if (lives.test(reference, uid)) {
      return new Conflict(reference);
    }
    return reference.equals(owner.reference()) ? new TakeOver() : new Use(false);
  }

  private static @Nullable String valueOf(@Nullable Map<String, String> map, String key) {
    return map == null ? null : map.get(key);
  }
}
