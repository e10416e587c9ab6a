// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.summary;

import static java.util.stream.Collectors.joining;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One aggregated condition.
 *
 * @param condition with its time
 * @param nextChange when it changes by the passing of time alone
 */
public record ConditionUnion(Condition condition, Optional<Instant> nextChange) {
  private static final String ALL_IS_WELL = "All is well";
  private static final int LONGEST_MESSAGE = 32_000;

  /**
   * Adds up.
   *
   * @param inputs in the order in which they are stored
   * @param before the conditions that hold the last result
   */
  public static ConditionUnion of(
      Output output, List<Condition> inputs, Inertia inertia, List<Condition> before, Instant now) {
    var matching = inputs.stream().filter(input -> input.type().endsWith(output.type())).toList();
    var bad =
        matching.stream()
            .filter(input -> input.status() != output.normal())
            .sorted(Comparator.comparing(Condition::type))
            .toList();
    var isOld =
        bad.stream().anyMatch(input -> !output.inert() || endOf(input, inertia).isBefore(now));
    var result =
        matching.isEmpty()
            ? Condition.of(output.type(), ConditionStatus.UNKNOWN, KmsHealthReasons.NO_DATA, "")
            : isOld ? bad(output, bad) : normal(output, matching);
    return new ConditionUnion(
        ConditionList.withTransitionTime(result, before, now),
        isOld
            ? Optional.empty()
            : bad.stream().map(input -> endOf(input, inertia)).min(Instant::compareTo));
  }

  /** The first moment after which a condition shows; one without a time has always been there. */
  private static Instant endOf(Condition input, Inertia inertia) {
    var since = input.lastTransitionTime();
    return since == null ? Instant.MIN : since.plus(inertia.of(input.type()));
  }

  private static Condition normal(Output output, List<Condition> matching) {
    var message = message(matching);
    return Condition.of(
        output.type(),
        output.normal(),
        KmsHealthReasons.AS_EXPECTED,
        message.isEmpty() ? ALL_IS_WELL : message);
  }

  /** Once one of them shows, all of them do. */
  private static Condition bad(Output output, List<Condition> bad) {
    var worst = bad.stream().anyMatch(input -> input.status() == output.opposite());
    return Condition.of(
        output.type(),
        worst ? output.opposite() : ConditionStatus.UNKNOWN,
        bad.stream().map(input -> reason(output, input)).sorted().collect(joining("::")),
        message(bad));
  }

  private static String reason(Output output, Condition input) {
    var end = input.type().length() - output.type().length();
    var part = input.type().substring(0, end);
    return input.reason().isEmpty() ? part : part + "_" + input.reason();
  }

  private static String message(List<Condition> inputs) {
    var message =
        inputs.stream()
            .filter(input -> !input.message().isEmpty())
            .map(ConditionUnion::lines)
            .collect(joining("\n"));
    return message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE) + "...";
  }

  private static String lines(Condition input) {
    return Arrays.stream(input.message().split("\n", -1))
        .distinct()
        .map(line -> input.type() + ": " + line)
        .collect(joining("\n"));
  }

  /**
   * How long a condition must last before it counts.
   *
   * @param specials of these the first whose pattern is found in the type wins
   */
  public record Inertia(Duration byDefault, List<Special> specials) {
    public Inertia {
      specials = List.copyOf(specials);
    }

    /** For some types another time. */
    public record Special(Pattern type, Duration length) {}

    public static Inertia of(Duration length) {
      return new Inertia(length, List.of());
    }

    Duration of(String type) {
      return specials.stream()
          .filter(special -> special.type().matcher(type).find())
          .map(Special::length)
          .findFirst()
          .orElse(byDefault);
    }
  }

  /**
   * An aggregated condition type: over all types that end with it.
   *
   * @param normal the status it has when all is well
   * @param inert whether something must last before it shows
   */
  public record Output(String type, ConditionStatus normal, boolean inert) {
    public static final Output DEGRADED = new Output("Degraded", ConditionStatus.FALSE, true);

    /** All of a ClusterOperator. */
    public static final List<Output> ALL =
        List.of(
            DEGRADED,
            new Output("Progressing", ConditionStatus.FALSE, false),
            new Output("Available", ConditionStatus.TRUE, false),
            new Output("Upgradeable", ConditionStatus.TRUE, false),
            new Output("EvaluationConditionsDetected", ConditionStatus.FALSE, false));

    ConditionStatus opposite() {
      return normal == ConditionStatus.TRUE ? ConditionStatus.FALSE : ConditionStatus.TRUE;
    }
  }
}
