// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** All stored revisions of one release, oldest first. */
public record ReleaseHistory(List<Revision> revisions) {

  public ReleaseHistory {
    revisions = revisions.stream().sorted(Comparator.comparingInt(Revision::version)).toList();
  }

  public static ReleaseHistory of(Collection<Revision> revisions) {
    return new ReleaseHistory(List.copyOf(revisions));
  }

  public static ReleaseHistory none() {
    return new ReleaseHistory(List.of());
  }

  /** Only this one counts: an abandoned {@code pending-upgrade} may stay below it for ever. */
  public Optional<Revision> latest() {
    return revisions.isEmpty() ? Optional.empty() : Optional.of(revisions.getLast());
  }

  /** The number that Helm gives to the next one. */
  public int next() {
    return latest().map(Revision::version).orElse(0) + 1;
  }

  /** What to go back to: the last {@code deployed} revision, else the last superseded one. */
  public Optional<Revision> lastGood() {
    return last(ReleaseStatus.DEPLOYED).or(() -> last(ReleaseStatus.SUPERSEDED));
  }

  private Optional<Revision> last(ReleaseStatus status) {
    return revisions.reversed().stream().filter(it -> it.status() == status).findFirst();
  }

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
}
