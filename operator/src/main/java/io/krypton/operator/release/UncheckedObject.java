// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * An object of a release that cannot be compared with its manifest. That takes nothing from the
 * release: it stands, and a condition of its own says what is not known about it.
 *
 * @param message what the server says, and what helps; for people
 */
public record UncheckedObject(String object, Cause cause, String message) {
  /** In the order of their weight. */
  public enum Cause {
    DRY_RUN_REFUSED(RolloutReasons.DRY_RUN_REFUSED),
    API_VERSION_NOT_SERVED(RolloutReasons.API_VERSION_NOT_SERVED);

    private final String reason;

    Cause(String reason) {
      this.reason = reason;
    }
  }

  /**
   * The conditions with the one about the last inspection: False names what could not be compared,
   * True says that this is over, and there is none before the first False.
   */
  public static List<Condition> withCondition(
      List<Condition> conditions, String type, List<UncheckedObject> unchecked) {
    if (unchecked.isEmpty() && ConditionList.find(conditions, type).isEmpty()) {
      return conditions;
    }
    var others = new ArrayList<>(conditions);
    others.removeIf(condition -> condition.type().equals(type));
    others.add(
        unchecked.isEmpty()
            ? Condition.of(type, ConditionStatus.TRUE, RolloutReasons.CHECKED, "")
            : uncheckedCondition(type, unchecked));
    return List.copyOf(others);
  }

  private static Condition uncheckedCondition(String type, List<UncheckedObject> unchecked) {
    var sorted =
        unchecked.stream()
            .sorted(
                Comparator.comparing(UncheckedObject::cause).thenComparing(UncheckedObject::object))
            .toList();
    return Condition.of(
        type, ConditionStatus.FALSE, sorted.getFirst().cause().reason, MessageText.list(sorted));
  }

  /** The event about a condition of {@link #withCondition} that says something new. */
  public static Optional<RolloutEventMessage> eventOnChange(
      List<Condition> before, List<Condition> after, String type) {
    return ConditionList.find(after, type)
        .filter(checked -> checked.status() == ConditionStatus.FALSE)
        .filter(
            checked ->
                ConditionList.find(before, type)
                    .filter(known -> known.status() == checked.status())
                    .filter(known -> known.message().equals(checked.message()))
                    .isEmpty())
        .flatMap(
            checked ->
                EventReason.of(checked.reason())
                    .map(reason -> new RolloutEventMessage(reason, checked.message())));
  }

  @Override
  public String toString() {
    return object + ": " + message;
  }
}
