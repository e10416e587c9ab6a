// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.operator.classes.target.RolloutTarget;
import java.util.List;

/**
 * Who still names a class that is being deleted.
 *
 * @param objects that name it
 * @param notSeen clusters whose objects nobody knows
 */
record ClassUsers(List<String> objects, List<String> notSeen) {
  private static final int MOST_NAMED = 5;

  static ClassUsers of(List<RolloutTarget> targets, List<String> notSeen) {
    var objects =
        targets.stream()
            .filter(target -> !target.observed().deleting())
            .map(target -> target.key().toString())
            .sorted()
            .toList();
    return new ClassUsers(objects, notSeen.stream().sorted().toList());
  }

  boolean isNone() {
    return objects.isEmpty() && notSeen.isEmpty();
  }

  String message() {
    var who =
        objects.isEmpty()
            ? "clusters that do not answer may use it: " + named(notSeen)
            : "used by " + named(objects);
    return who
        + "; delete them, or keep their releases as they are with the annotation"
        + " mesh.openkcm.io/deletion-policy=orphan";
  }

  private static String named(List<String> all) {
    var some = String.join(", ", all.subList(0, Math.min(MOST_NAMED, all.size())));
    return all.size() > MOST_NAMED
        ? some + " and %d more".formatted(all.size() - MOST_NAMED)
        : some;
  }
}
