// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static io.krypton.operator.kmshealth.aggregate.Scenario.converged;
import static io.krypton.operator.kmshealth.aggregate.Scenario.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.input.NodeExpectation;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which key is judged by {@code KMSKeysConverged}. */
class WriteKeyTest {
  private final Scenario scenario = new Scenario();

  private static String message(AggregationResult aggregationResult) {
    return Objects.requireNonNull(aggregationResult.converged()).message();
  }

  /** A new key is deployed as reader on all nodes before any of them writes with it. */
  @Test
  void through_a_rotation_the_key_that_writes_is_judged() {
    var nodes = List.of("a", "b", "c");
    scenario.allHealthy().look();
    assertThat(converged(scenario.after(600))).isEqualTo("Converged");
    for (var node : nodes) {
      scenario.writers.put(node, "2");
      scenario.reports(node, "3=healthy:new-" + node, "2=healthy:kek", "1=healthy:old");
      assertThat(converged(scenario.after(240))).isEqualTo("Converged");
      assertThat(Objects.requireNonNull(scenario.last).writeKey()).hasToString("2");
    }
    scenario.writers.put("a", "3");
    scenario.reports("a", "3=healthy:new", "2=healthy:kek", "1=healthy:old");
    var first = scenario.look();
    assertThat(converged(first)).isEqualTo("WriteKeyDiffers");
    assertThat(message(first)).isEqualTo("nodes encrypt with different keyIDs: 2 on b, c; 3 on a");
    for (var node : List.of("b", "c")) {
      scenario.writers.put(node, "3");
      scenario.reports(node, "3=healthy:new", "2=healthy:kek", "1=healthy:old");
    }
    assertThat(converged(scenario.look())).isEqualTo("Stabilizing");
    assertThat(converged(scenario.after(330))).isEqualTo("Converged");
    assertThat(message(Objects.requireNonNull(scenario.last))).startsWith("keyID 3: 3 nodes agree");
  }

  @Test
  void without_roles_nothing_converges_unless_the_spec_names_the_key() {
    scenario.roles = false;
    scenario.allHealthy().look();
    assertThat(converged(scenario.after(900))).isEqualTo("WriteKeyAssumed");
    scenario.writeKey = KeyId.parse("2").orElseThrow();
    scenario.look();
    assertThat(converged(scenario.after(330))).isEqualTo("Converged");
  }

  @Test
  void one_node_that_tells_no_role_is_enough_to_doubt() {
    scenario.allHealthy();
    scenario.roles = false;
    scenario.reports("c", "2=healthy:kek", "1=healthy:old").look();
    assertThat(converged(scenario.after(900))).isEqualTo("WriteKeyAssumed");
  }

  @Test
  void a_node_that_writes_with_two_keys_differs_from_itself() {
    scenario.allHealthy();
    scenario.messages.computeIfPresent(
        "b", (node, lines) -> lines.replace("role=read", "role=write"));
    scenario.look();
    var looked = scenario.after(60);
    assertThat(converged(looked)).isEqualTo("WriteKeyDiffers");
    assertThat(message(looked)).contains("1 and 2 on b");
  }

  @Test
  void nodes_that_nobody_asked_for_never_converge() {
    scenario.expectation = new NodeExpectation.Learned();
    scenario.allHealthy().look();
    assertThat(converged(scenario.after(900))).isEqualTo("NodesLearned");
    assertThat(said(Objects.requireNonNull(scenario.last))).isEqualTo("FALSE AsExpected: ");
  }

  @Test
  void a_silent_node_has_no_say_in_which_key_writes() {
    scenario.allHealthy().look();
    scenario.after(150, "c");
    for (var node : List.of("a", "b")) {
      scenario.reports(node, "3=healthy:new", "2=healthy:kek");
    }
    assertThat(converged(scenario.after(10, "c"))).isEqualTo("MissingNode");
    assertThat(Objects.requireNonNull(scenario.last).writeKey()).hasToString("3");
  }
}
