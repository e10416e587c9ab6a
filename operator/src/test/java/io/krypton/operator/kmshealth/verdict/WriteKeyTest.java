package io.krypton.operator.kmshealth.verdict;

import static io.krypton.operator.kmshealth.verdict.Scene.converged;
import static io.krypton.operator.kmshealth.verdict.Scene.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.kmshealth.report.KeyId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Which key is judged by {@code KMSKeysConverged}. */
class WriteKeyTest {
  private final Scene scene = new Scene();

  private static String message(Conclusion conclusion) {
    return Objects.requireNonNull(conclusion.converged()).message();
  }

  /** A new key is deployed as reader on all nodes before any of them writes with it. */
  @Test
  void through_a_rotation_the_key_that_writes_is_judged() {
    var nodes = List.of("a", "b", "c");
    scene.allHealthy().look();
    assertThat(converged(scene.after(600))).isEqualTo("Converged");
    for (var node : nodes) {
      scene.writers.put(node, "2");
      scene.reports(node, "3=healthy:new-" + node, "2=healthy:kek", "1=healthy:old");
      assertThat(converged(scene.after(240))).isEqualTo("Converged");
      assertThat(Objects.requireNonNull(scene.last).writeKey()).hasToString("2");
    }
    scene.writers.put("a", "3");
    scene.reports("a", "3=healthy:new", "2=healthy:kek", "1=healthy:old");
    var first = scene.look();
    assertThat(converged(first)).isEqualTo("WriteKeyDiffers");
    assertThat(message(first)).isEqualTo("nodes encrypt with different keyIDs: 2 on b, c; 3 on a");
    for (var node : List.of("b", "c")) {
      scene.writers.put(node, "3");
      scene.reports(node, "3=healthy:new", "2=healthy:kek", "1=healthy:old");
    }
    assertThat(converged(scene.look())).isEqualTo("Stabilizing");
    assertThat(converged(scene.after(330))).isEqualTo("Converged");
    assertThat(message(Objects.requireNonNull(scene.last))).startsWith("keyID 3: 3 nodes agree");
  }

  @Test
  void without_roles_nothing_converges_unless_the_spec_names_the_key() {
    scene.roles = false;
    scene.allHealthy().look();
    assertThat(converged(scene.after(900))).isEqualTo("WriteKeyAssumed");
    scene.writeKey = KeyId.parse("2").orElseThrow();
    scene.look();
    assertThat(converged(scene.after(330))).isEqualTo("Converged");
  }

  @Test
  void one_node_that_tells_no_role_is_enough_to_doubt() {
    scene.allHealthy();
    scene.roles = false;
    scene.reports("c", "2=healthy:kek", "1=healthy:old").look();
    assertThat(converged(scene.after(900))).isEqualTo("WriteKeyAssumed");
  }

  @Test
  void a_node_that_writes_with_two_keys_differs_from_itself() {
    scene.allHealthy();
    scene.messages.computeIfPresent("b", (node, lines) -> lines.replace("role=read", "role=write"));
    scene.look();
    var looked = scene.after(60);
    assertThat(converged(looked)).isEqualTo("WriteKeyDiffers");
    assertThat(message(looked)).contains("1 and 2 on b");
  }

  @Test
  void nodes_that_nobody_asked_for_never_converge() {
    scene.expectation = new Expectation.Learned();
    scene.allHealthy().look();
    assertThat(converged(scene.after(900))).isEqualTo("NodesLearned");
    assertThat(said(Objects.requireNonNull(scene.last))).isEqualTo("FALSE AsExpected: ");
  }

  @Test
  void a_silent_node_has_no_say_in_which_key_writes() {
    scene.allHealthy().look();
    scene.after(150, "c");
    for (var node : List.of("a", "b")) {
      scene.reports(node, "3=healthy:new", "2=healthy:kek");
    }
    assertThat(converged(scene.after(10, "c"))).isEqualTo("MissingNode");
    assertThat(Objects.requireNonNull(scene.last).writeKey()).hasToString("3");
  }
}
