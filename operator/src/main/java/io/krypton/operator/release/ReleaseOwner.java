package io.krypton.operator.release;

import java.util.function.Predicate;

/** The object that a release would belong to, by UID and by the name computed for its release. */
public record ReleaseOwner(String uid, ReleaseName releaseName) {

  /**
   * Whether a release is this object's. One without a living owner is taken over by name, so that
   * releases made before us, or for a deleted object of the same name, do not stay behind.
   */
  public boolean owns(String release, Revision latest, Predicate<String> isAlive) {
    var owner = latest.ownerUid();
    if (uid.equals(owner)) {
      return true;
    }
    return releaseName.value().equals(release) && (owner == null || !isAlive.test(owner));
  }
}
