// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole key rollout as OpenShift does it, node by node: the new key is deployed as reader, then
 * it writes, then the old one goes. Three real reporters, all times at their defaults: what is
 * shown is the order of what is said, not how fast.
 */
@ExtendWith(ControlPlaneExtension.class)
@Order(6)
class KeyRolloutIT {
  private static final String PLUGINS = "KMSPluginsDegraded";
  private static final String KEYS = "KMSKeysConverged";
  private static final String WELL = "False/AsExpected";
  private static final Path CRD =
      Shell.ROOT.resolve("charts/krypton-operator/files/crds/kmshealths.mesh.openkcm.io.yaml");

  @TempDir Path directory;

  @Test
  void a_new_key_arrives_writes_and_replaces_the_old_one_without_an_alarm(
      @Cluster("home") ControlPlane home, @Cluster("rollout") ControlPlane edge) throws Exception {
    Fleet.namespace(home, "key-rollout");
    Fleet.register(home, "key-rollout", "rollout-edge", edge.adminKubeconfig());
    Leases.namespace(edge);
    KmsObject.define(edge, CRD);
    var kms = KmsObject.kmsHealth(edge);
    eventually("defined", kms::create);
    kms.merge("{\"spec\":{\"expectedNodes\":{\"names\":[\"r-a\",\"r-b\",\"r-c\"]}}}");
    var history = new KmsHistory(kms);
    var keys = Files.createDirectories(directory.resolve("keys"));
    try (var operator =
            Operators.start(directory, home, "key-rollout", "echo", "--leader-elect=false");
        var a = new RolloutNode(directory, edge, "r-a", keys);
        var b = new RolloutNode(directory, edge, "r-b", keys);
        var c = new RolloutNode(directory, edge, "r-c", keys)) {
      var nodes = List.of(a, b, c);
      for (var node : nodes) {
        node.roll(2);
        reports(kms, node, "keyID=2 role=write");
      }
      eventually("well", () -> assertThat(kms.says(PLUGINS)).as(operator.log()).isEqualTo(WELL));
      agreesOn(kms, "2");

      for (var node : nodes) {
        node.roll(2, 3);
        reports(kms, node, "keyID=3 role=read", "keyID=2 role=write");
        history.upToNow();
      }
      agreesOn(kms, "2");

      a.roll(3, 2);
      reports(kms, a, "keyID=3 role=write", "keyID=2 role=read");
      eventually(
          "two keys write", () -> assertThat(kms.says(KEYS)).isEqualTo("False/WriteKeyDiffers"));
      for (var node : List.of(b, c)) {
        node.roll(3, 2);
        reports(kms, node, "keyID=3 role=write", "keyID=2 role=read");
        history.upToNow();
      }
      agreesOn(kms, "3");

      for (var node : nodes) {
        node.roll(3);
        reports(kms, node, "keyID=3 role=write");
        history.upToNow();
      }
      agreesOn(kms, "3");

      noAlarm(history.upToNow());
      noAgreementOnTheNewKeyBeforeAllWriteWithIt(history.upToNow(), nodes);
      assertThat(kms.events()).doesNotContain("KMSPluginsDegraded");
    }
  }

  /** What a healthy node says, a line for each key. */
  private static void reports(KmsObject kms, RolloutNode node, String... lines) {
    eventually(
        node.name() + " reports its new revision",
        () ->
            assertThat(kms.message(reporter(node)).lines().map(KeyRolloutIT::keyAndRole))
                .as(node.log())
                .containsExactly(lines));
  }

  private static String keyAndRole(String line) {
    return line.replaceFirst("^(keyID=\\d+) status=healthy .* (role=\\w+) .*$", "$1 $2");
  }

  private static String reporter(RolloutNode node) {
    return "KMSHealthReporter_" + node.name();
  }

  /** Whether for long enough already is a matter of time. */
  private static void agreesOn(KmsObject kms, String keyId) {
    eventually(
        "all nodes write with the same key",
        () -> {
          assertThat(kms.says(KEYS)).isIn("False/Stabilizing", "True/Converged");
          assertThat(kms.message(KEYS)).startsWith(agreement(keyId));
          assertThat(kms.says(PLUGINS)).isEqualTo(WELL);
        });
  }

  private static String agreement(String keyId) {
    return "keyID %s: 3 nodes agree on remote key sha256:".formatted(keyId);
  }

  private static void noAlarm(List<JsonNode> states) {
    assertThat(states)
        .extracting(state -> KmsHistory.says(state, PLUGINS))
        .allMatch(says -> says.isEmpty() || says.startsWith("False/AsExpected"));
  }

  private static void noAgreementOnTheNewKeyBeforeAllWriteWithIt(
      List<JsonNode> states, List<RolloutNode> nodes) {
    var before = states.stream().takeWhile(state -> !allWriteWithTheNewKey(state, nodes)).toList();
    assertThat(before).hasSizeLessThan(states.size());
    assertThat(before)
        .extracting(state -> KmsHistory.says(state, KEYS))
        .noneMatch(says -> says.contains(agreement("3")));
  }

  private static List<String> writers(String report) {
    return report
        .lines()
        .map(line -> keyAndRole(line.replaceFirst("^.*?: keyID", "keyID")))
        .toList();
  }

  private static boolean allWriteWithTheNewKey(JsonNode state, List<RolloutNode> nodes) {
    return nodes.stream()
        .allMatch(
            node -> writers(KmsHistory.says(state, reporter(node))).contains("keyID=3 role=write"));
  }
}
