// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.summary;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Inertia;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Output;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ConditionUnionTest {
  private static final Instant NOW = Instant.parse("2026-05-08T12:00:00Z");
  private static final Inertia TWO_MINUTES = Inertia.of(Duration.ofMinutes(2));
  private static final ConditionStatus T = ConditionStatus.TRUE;
  private static final ConditionStatus F = ConditionStatus.FALSE;
  private static final ConditionStatus U = ConditionStatus.UNKNOWN;

  private static Condition input(
      String type, ConditionStatus status, String reason, String message, long secondsAgo) {
    return Condition.of(type, status, reason, message).since(NOW.minusSeconds(secondsAgo));
  }

  private static Condition degraded(Condition... inputs) {
    return ConditionUnion.of(Output.DEGRADED, List.of(inputs), TWO_MINUTES, List.of(), NOW)
        .condition();
  }

  @Test
  void nothing_to_sum_up_is_unknown() {
    assertThat(degraded(input("Available", T, "", "", 0)))
        .isEqualTo(Condition.of("Degraded", U, "NoData", "").since(NOW));
  }

  @Test
  void the_end_of_the_type_decides_in_this_very_spelling() {
    assertThat(degraded(input("XDegraded", T, "R", "m", 999)).status()).isEqualTo(T);
    assertThat(degraded(input("Xdegraded", T, "R", "m", 999)).status()).isEqualTo(U);
    assertThat(degraded(input("DegradedX", T, "R", "m", 999)).status()).isEqualTo(U);
  }

  @Test
  void all_well_keeps_the_messages_in_stored_order() {
    assertThat(degraded(input("BDegraded", F, "", "", 0)).message()).isEqualTo("All is well");
    assertThat(
            degraded(input("BDegraded", F, "x", "b1\nb2\nb1", 0), input("ADegraded", F, "", "a", 0))
                .message())
        .isEqualTo("BDegraded: b1\nBDegraded: b2\nADegraded: a");
  }

  @Test
  void young_trouble_does_not_show_until_its_inertia_is_over() {
    var young = input("ADegraded", T, "R", "m", 120);
    var conditionUnion =
        ConditionUnion.of(Output.DEGRADED, List.of(young), TWO_MINUTES, List.of(), NOW);

    assertThat(conditionUnion.condition().status()).isEqualTo(F);
    assertThat(conditionUnion.condition().reason()).isEqualTo("AsExpected");
    assertThat(conditionUnion.condition().message()).isEqualTo("ADegraded: m");
    assertThat(conditionUnion.nextChange()).contains(NOW);
    assertThat(
            ConditionUnion.of(
                    Output.DEGRADED, List.of(young), TWO_MINUTES, List.of(), NOW.plusNanos(1))
                .condition()
                .status())
        .isEqualTo(T);
  }

  @Test
  void one_old_trouble_brings_the_young_ones_along_sorted() {
    var sum =
        degraded(
            input("NodeControllerDegraded", T, "MasterNodesReady", "n", 1),
            input("KMSPluginsDegraded", U, "PluginUnhealthy", "k", 121),
            input("CDegraded", F, "AsExpected", "not told", 1));

    assertThat(sum.status()).isEqualTo(T);
    assertThat(sum.reason())
        .isEqualTo("KMSPlugins_PluginUnhealthy::NodeController_MasterNodesReady");
    assertThat(sum.message()).isEqualTo("KMSPluginsDegraded: k\nNodeControllerDegraded: n");
  }

  @Test
  void only_unknown_stays_unknown_and_an_empty_reason_leaves_the_type() {
    var sum = degraded(input("ADegraded", U, "", "m", 999), input("BDegraded", U, "R", "", 999));

    assertThat(sum.status()).isEqualTo(U);
    assertThat(sum.reason()).isEqualTo("A::B_R");
    assertThat(sum.message()).isEqualTo("ADegraded: m");
  }

  @Test
  void a_missing_time_counts_as_very_old() {
    assertThat(degraded(Condition.of("ADegraded", T, "R", "m")).status()).isEqualTo(T);
  }

  @Test
  void types_may_have_an_inertia_of_their_own() {
    var inertia =
        new Inertia(
            Duration.ofMinutes(2),
            List.of(new Inertia.Special(Pattern.compile("KMS"), Duration.ofHours(1))));
    var conditionUnion =
        ConditionUnion.of(
            Output.DEGRADED,
            List.of(input("TheKMSDegraded", T, "R", "m", 600)),
            inertia,
            List.of(),
            NOW);

    assertThat(conditionUnion.condition().status()).isEqualTo(F);
    assertThat(conditionUnion.nextChange()).contains(NOW.plusSeconds(3000));
  }

  @Test
  void the_time_stays_while_the_status_does() {
    var before = List.of(input("Degraded", T, "old", "old", 500));
    var sum =
        ConditionUnion.of(
                Output.DEGRADED,
                List.of(input("ADegraded", T, "R", "m", 999)),
                TWO_MINUTES,
                before,
                NOW)
            .condition();

    assertThat(sum.lastTransitionTime()).isEqualTo(NOW.minusSeconds(500));
    assertThat(sum.reason()).isEqualTo("A_R");
  }

  /** The rules a second time, written in another way, against thousands of random lists. */
  @Test
  void any_list_gives_what_the_rules_say() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 5000; round++) {
      var inputs = randomInputs(random);
      var output = Output.ALL.get(random.nextInt(Output.ALL.size()));
      var union = ConditionUnion.of(output, inputs, TWO_MINUTES, List.of(), NOW).condition();
      var why = "seed %d round %d: %s of %s".formatted(seed, round, output.type(), inputs);

      var said = Condition.of(union.type(), union.status(), union.reason(), union.message());
      assertThat(said).as(why).isEqualTo(byTheRules(output, inputs));
      var shuffled = new ArrayList<>(inputs);
      Collections.shuffle(shuffled, random);
      var again = ConditionUnion.of(output, shuffled, TWO_MINUTES, List.of(), NOW).condition();
      assertThat(again.status()).as(why).isEqualTo(union.status());
      assertThat(again.reason()).as(why).isEqualTo(union.reason());
    }
  }

  private static List<Condition> randomInputs(Random random) {
    var names = new LinkedHashSet<String>();
    var prefixes = List.of("A", "KMSPlugins", "B_", "", "NodeController");
    var suffixes = List.of("Degraded", "Available", "Progressing", "degraded", "Upgradeable");
    for (int i = random.nextInt(7); i > 0; i--) {
      names.add(
          prefixes.get(random.nextInt(prefixes.size()))
              + suffixes.get(random.nextInt(suffixes.size())));
    }
    var inputs = new ArrayList<Condition>();
    for (var name : names) {
      var message = List.of("", "m", "x\ny\nx", "\n", "m\nm").get(random.nextInt(5));
      var input =
          Condition.of(
              name,
              List.of(T, F, U).get(random.nextInt(3)),
              random.nextBoolean() ? "" : "R" + random.nextInt(3),
              message);
      inputs.add(
          random.nextInt(5) == 0 ? input : input.since(NOW.minusSeconds(random.nextInt(241))));
    }
    return inputs;
  }

  private static Condition byTheRules(Output output, List<Condition> inputs) {
    var bad = new TreeMap<String, Condition>();
    var matching = new ArrayList<Condition>();
    var elder = false;
    for (var input : inputs) {
      if (!input.type().endsWith(output.type())) {
        continue;
      }
      matching.add(input);
      if (!input.status().equals(output.normal())) {
        bad.put(input.type(), input);
        var since = input.lastTransitionTime();
        elder |=
            !output.type().equals("Degraded")
                || since == null
                || since.isBefore(NOW.minus(Duration.ofMinutes(2)));
      }
    }
    if (matching.isEmpty()) {
      return Condition.of(output.type(), U, "NoData", "");
    }
    if (!elder) {
      var text = text(matching);
      return Condition.of(
          output.type(), output.normal(), "AsExpected", text.isEmpty() ? "All is well" : text);
    }
    var reasons = new ArrayList<String>();
    var status = U;
    for (var input : bad.values()) {
      var part = input.type().replaceAll(output.type() + "$", "");
      reasons.add(input.reason().isEmpty() ? part : part + "_" + input.reason());
      status = input.status() == U ? status : input.status();
    }
    Collections.sort(reasons);
    return Condition.of(
        output.type(), status, String.join("::", reasons), text(List.copyOf(bad.values())));
  }

  private static String text(List<Condition> inputs) {
    var lines = new ArrayList<String>();
    for (var input : inputs) {
      if (!input.message().isEmpty()) {
        var seen = new TreeSet<String>();
        for (var line : input.message().split("\n", -1)) {
          if (seen.add(line)) {
            lines.add(input.type() + ": " + line);
          }
        }
      }
    }
    return String.join("\n", lines);
  }
}
