// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import io.krypton.api.event.EventReason;
import io.krypton.api.tenantclass.TenantClassStatus.ClassReasons;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.operator.classes.revision.RevisionDraft.Complete;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The stored revisions of one class, oldest first; a value. */
public record Revisions(String className, List<ClassRevision> all) {
  public Revisions {
    all = List.copyOf(all);
  }

  /** What becomes of a draft. */
  public sealed interface Judgement {
    /**
     * It may be rolled out.
     *
     * @param isNew it must be stored first
     */
    record Accepted(ClassRevision revision, boolean isNew) implements Judgement {}

    record Refused(String reason, String message) implements Judgement {}
  }

  /**
   * Whether a draft may be rolled out, and under which number: what was rolled out before has one.
   *
   * @param stable the revision that was last rolled out to the end
   */
  public Judgement judge(Complete draft, boolean allowsDowngrade, @Nullable ClassRevision stable) {
    var numbered = draft.numbered(className, next());
    var published =
        all.stream()
            .filter(known -> known.isPublishedAgainIn(draft.chart(), draft.digest()))
            .findFirst();
    if (published.isPresent()) {
      return new Judgement.Refused(
          ClassReasons.VERSION_REPUSHED,
          "chart %s was published again: its content is sha256 %s and was %s; publish it under another version"
              .formatted(draft.chart(), draft.digest(), published.get().digest()));
    }
    var known = all.stream().filter(it -> it.hash().equals(numbered.hash())).findFirst();
    var isStable = known.isPresent() && known.equals(Optional.ofNullable(stable));
    if (!allowsDowngrade && !isStable && stable != null && isOlder(numbered, stable)) {
      return new Judgement.Refused(
          EventReason.DOWNGRADE_REFUSED.value(),
          "spec.chart.version %s is older than %s, which is rolled out; set spec.allow.downgrade or give a newer version"
              .formatted(numbered.chart().version(), stable.chart().version()));
    }
    return known
        .<Judgement>map(it -> new Judgement.Accepted(it, false))
        .orElseGet(() -> new Judgement.Accepted(numbered, true));
  }

  private static boolean isOlder(ClassRevision one, ClassRevision other) {
    return one.chart().isOlderThan(other.chart());
  }

  private int next() {
    return all.isEmpty() ? 1 : all.getLast().number() + 1;
  }

  public Revisions with(ClassRevision added) {
    return new Revisions(className, Stream.concat(all.stream(), Stream.of(added)).toList());
  }

  public Revisions without(Set<Integer> numbers) {
    return new Revisions(
        className, all.stream().filter(it -> !numbers.contains(it.number())).toList());
  }

  /** Null if there is no such reference, or what it names is not stored any more. */
  public @Nullable ClassRevision find(@Nullable RevisionReference reference) {
    return reference == null
        ? null
        : all.stream()
            .filter(it -> it.number() == reference.revision())
            .filter(it -> it.hash().equals(reference.hash()))
            .findFirst()
            .orElse(null);
  }

  /** The one that a release carries; null for one that is not stored any more. */
  public @Nullable ClassRevision byLabel(@Nullable String label) {
    return label == null
        ? null
        : all.stream().filter(it -> it.label().equals(label)).findFirst().orElse(null);
  }

  /**
   * Those that nobody needs: older than the newest ones, and neither in use nor referred to.
   *
   * @param inUse labels on releases, and of what status refers to
   */
  public List<ClassRevision> superfluous(int limit, Set<String> inUse) {
    var kept = new HashSet<Integer>();
    var superfluous = new ArrayList<ClassRevision>();
    for (var revision : all.reversed()) {
      if (inUse.contains(revision.label()) || kept.size() < limit) {
        kept.add(revision.number());
      } else {
        superfluous.add(revision);
      }
    }
    return superfluous;
  }
}
