// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.namespace;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.Annotations;
import io.krypton.api.Labels;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What to do about the namespace that a release goes to; decided from its metadata alone. */
public sealed interface NamespaceDecision {

  record Create() implements NamespaceDecision {}

  /** {@code owned}: we made it for this owner, so it goes with it. */
  record Use(boolean owned) implements NamespaceDecision {}

  /** Made for an earlier object of the same name that is gone. */
  record TakeOver() implements NamespaceDecision {}

  record AwaitTermination() implements NamespaceDecision {}

  /** Belongs to another living object. */
  record Conflict(String owner) implements NamespaceDecision {}

  /** Somebody else made it, and nobody who may has said that it is for such releases. */
  record NotAllowed() implements NamespaceDecision {}

  /**
   * Which namespaces that we did not make may be used.
   *
   * @param any all of them, as the original did
   * @param holdsOurRelease whether the owner's release is in the namespace already
   */
  record Adoption(boolean any, BooleanSupplier holdsOurRelease) {}

  /**
   * Decides about a namespace, which may be absent.
   *
   * @param lives whether the object with this reference and this UID exists
   */
  static NamespaceDecision decide(
      @Nullable ObjectMeta namespace,
      Owner owner,
      BiPredicate<String, String> lives,
      Adoption adoption) {
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
    if (uid != null && reference != null) {
      if (lives.test(reference, uid)) {
        return new Conflict(reference);
      }
      if (reference.equals(owner.reference())) {
        return new TakeOver();
      }
    }
    return mayAdopt(namespace, owner, adoption) ? new Use(false) : new NotAllowed();
  }

  /**
   * An owner's author may have no rights at all in a namespace that its spec names. Where the owner
   * itself lives, its author has some.
   */
  private static boolean mayAdopt(ObjectMeta namespace, Owner owner, Adoption adoption) {
    return adoption.any()
        || owner.isIn(namespace.getName())
        || Labels.WORKSPACE_ALLOWED.equals(valueOf(namespace.getLabels(), Labels.WORKSPACE))
        || adoption.holdsOurRelease().getAsBoolean();
  }

  private static @Nullable String valueOf(@Nullable Map<String, String> map, String key) {
    return map == null ? null : map.get(key);
  }
}
