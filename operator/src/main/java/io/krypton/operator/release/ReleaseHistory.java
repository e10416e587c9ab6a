package io.krypton.operator.release;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

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
}
