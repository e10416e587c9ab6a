// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.ClassRules;
import io.krypton.operator.classes.target.RolloutTarget;
import io.krypton.operator.classes.target.TargetIndex;
import io.krypton.operator.release.RevisionSource;
import io.krypton.operator.release.target.ObservedOwner;
import io.krypton.operator.release.target.ObservedOwner.OwnerKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What every owner gets, as the controller of classes has last decided and stored it. A class that
 * this term of leadership has not decided about yet answers nobody; where no object is called
 * {@code default}, flags answer for it.
 */
public final class PublishedClasses implements RevisionSource {
  private final RevisionSource flags;
  private final TargetIndex index;
  private final Map<String, ClassAnswers> published = new ConcurrentHashMap<>();

  /** What each target of a class was last told to do. */
  private final Map<String, Map<OwnerKey, Assignment>> last = new ConcurrentHashMap<>();

  /** Who asked before it was known whether there are classes at all. */
  private final Set<OwnerKey> askedTooEarly = ConcurrentHashMap.newKeySet();

  private volatile @Nullable ClassLookup lookup;

  /** Whether there is a class. */
  interface ClassLookup {
    /** Where home serves no such kind. */
    ClassLookup NONE = className -> false;

    boolean exists(String className);
  }

  public PublishedClasses(RevisionSource flags, TargetIndex index) {
    this.flags = flags;
    this.index = index;
  }

  @Override
  public Optional<Assignment> revisionFor(Supplier<ObservedOwner> observed) {
    var known = lookup;
    var owner = observed.get();
    if (known == null) {
      askedTooEarly.add(owner.key());
      return lookup == null ? Optional.empty() : revisionFor(observed);
    }
    var className = owner.choice().className();
    if (known.exists(className)) {
      var answers = published.get(className);
      if (answers == null) {
        return Optional.empty();
      }
      return answers.isEmpty() && className.equals(ClassRules.DEFAULT_CLASS)
          ? flags.revisionFor(observed)
          : Optional.of(answers.answer(index.target(owner)));
    }
    return className.equals(ClassRules.DEFAULT_CLASS)
        ? flags.revisionFor(observed)
        : Optional.of(notFound(className));
  }

  private static Assignment notFound(String className) {
    return new Assignment.Refuse(
        EventReason.CLASS_NOT_FOUND,
        "there is no TenantClass %s on home; create it, or create the object anew with another spec.className"
            .formatted(className));
  }

  /** It is known from now on which classes there are. */
  void classesKnown(ClassLookup newLookup) {
    lookup = newLookup;
    for (var key : List.copyOf(askedTooEarly)) {
      if (askedTooEarly.remove(key)) {
        index.enqueue(key);
      }
    }
  }

  /** From now on these are the answers; whose answer is another one is enqueued. */
  void publish(String className, ClassAnswers answers, List<RolloutTarget> targets) {
    published.put(className, answers);
    var now = new HashMap<OwnerKey, Assignment>();
    for (var target : targets) {
      now.put(target.key(), answers.answer(target));
    }
    var before = last.put(className, now);
    now.forEach(
        (key, answer) -> {
          if (before == null || isNews(before.get(key), answer)) {
            index.enqueue(key);
          }
        });
  }

  /** That a rollout has ended is seen at the next reconcile, and worth none of its own. */
  private static boolean isNews(@Nullable Assignment before, Assignment now) {
    return !now.equals(before)
        && !(now instanceof Assignment.Use(var revision, var position)
            && position == null
            && before instanceof Assignment.Use(var former, var formerPosition)
            && revision.equals(former));
  }

  /** There is no such class any more. */
  void remove(String className) {
    published.remove(className);
    last.remove(className);
    index.targets(className).forEach(target -> index.enqueue(target.key()));
  }

  /** A term of leadership begins or has ended: what was decided in another one does not count. */
  void forgetAnswers() {
    published.clear();
    last.clear();
  }
}
