// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.condition;

import io.krypton.api.condition.Condition.ConditionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Questions about a list of conditions. */
public final class ConditionList {
  private ConditionList() {}

  public static Optional<Condition> find(List<Condition> conditions, String type) {
    return conditions.stream().filter(condition -> condition.type().equals(type)).findFirst();
  }

  public static boolean isTrue(List<Condition> conditions, String type) {
    return find(conditions, type)
        .filter(condition -> condition.status() == ConditionStatus.TRUE)
        .isPresent();
  }

  /** The next condition with its time: the stored one while the status stays, else now. */
  public static Condition withTransitionTime(Condition next, List<Condition> stored, Instant now) {
    return find(stored, next.type())
        .filter(old -> old.status() == next.status())
        .map(Condition::lastTransitionTime)
        .map(next::since)
        .orElseGet(() -> next.since(now));
  }
}
