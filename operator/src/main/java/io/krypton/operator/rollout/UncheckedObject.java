package io.krypton.operator.rollout;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.condition.Conditions;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.operator.manifest.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * An object of a release that cannot be compared with its manifest. That takes nothing from the
 * release: it stands, and a condition of its own says what is not known about it.
 *
 * @param why what the server says, and what helps; for people
 */
public record UncheckedObject(String object, Cause cause, String why) {
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
   * True says that this is over, and as long as there was no such trouble there is none.
   */
  public static List<Condition> reported(
      List<Condition> conditions, String type, List<UncheckedObject> unchecked) {
    if (unchecked.isEmpty() && Conditions.find(conditions, type).isEmpty()) {
      return conditions;
    }
    var others = new ArrayList<>(conditions);
    others.removeIf(condition -> condition.type().equals(type));
    others.add(
        unchecked.isEmpty()
            ? Condition.of(type, ConditionStatus.TRUE, RolloutReasons.CHECKED, "")
            : notAllChecked(type, unchecked));
    return List.copyOf(others);
  }

  private static Condition notAllChecked(String type, List<UncheckedObject> unchecked) {
    var sorted =
        unchecked.stream()
            .sorted(
                Comparator.comparing(UncheckedObject::cause).thenComparing(UncheckedObject::object))
            .toList();
    return Condition.of(
        type, ConditionStatus.FALSE, sorted.getFirst().cause().reason, Names.list(sorted));
  }

  /** The event about a condition of {@link #reported} that says something new. */
  public static Optional<Words> news(List<Condition> before, List<Condition> after, String type) {
    return Conditions.find(after, type)
        .filter(checked -> checked.status() == ConditionStatus.FALSE)
        .filter(
            checked ->
                Conditions.find(before, type)
                    .filter(known -> known.status() == checked.status())
                    .filter(known -> known.message().equals(checked.message()))
                    .isEmpty())
        .map(checked -> Words.warning(checked.reason(), checked.message()));
  }

  @Override
  public String toString() {
    return object + ": " + why;
  }
}
