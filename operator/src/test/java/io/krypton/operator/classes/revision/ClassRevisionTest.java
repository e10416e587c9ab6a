// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.revision;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.rollout.TargetSelector;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.operator.classes.revision.CentralValues.ForClusters;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.chart.ChartRef.RepoSecrets;
import io.krypton.operator.release.values.ChartValues;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClassRevisionTest {
  private static final ChartRef CHART = ChartRef.of("oci://registry/charts", "web", "1.2.3");
  private static final TargetSelector RING = new TargetSelector(Map.of("ring", "0"), List.of());
  private static final CentralValues VALUES =
      new CentralValues(
          values(Map.of("a", 1, "b", Map.of("c", "from"))),
          List.of(
              new ForClusters(RING, values(Map.of("a", 2, "d", 1.5))),
              new ForClusters(TargetSelector.EVERYTHING, values(Map.of("e", true)))),
          values(Map.of("a", 3)));

  private static ChartValues values(Map<String, ?> tree) {
    return ChartValues.of(tree);
  }

  private static ClassRevision revision(int number, String digest, CentralValues values) {
    return ClassRevision.of("gold", number, CHART, digest, values);
  }

  @Test
  void later_layers_win_and_only_those_of_the_cluster_count() {
    assertThat(VALUES.on(Map.of("ring", "0")))
        .isEqualTo(values(Map.of("a", 3, "b", Map.of("c", "from"), "d", 1.5, "e", true)));
    assertThat(VALUES.on(Map.of("ring", "1")))
        .isEqualTo(values(Map.of("a", 3, "b", Map.of("c", "from"), "e", true)));
  }

  @Test
  void the_hash_is_that_of_what_is_rolled_out_whatever_its_number() {
    var hash = revision(1, "d1", VALUES).hash();

    assertThat(revision(2, "d1", VALUES).hash()).isEqualTo(hash).hasSize(64);
    assertThat(revision(1, "d2", VALUES).hash()).isNotEqualTo(hash);
    assertThat(revision(1, "d1", CentralValues.NONE).hash()).isNotEqualTo(hash);
  }

  @Test
  void values_that_move_from_a_config_map_into_the_class_are_no_other_revision() {
    var referenced = new CentralValues(values(Map.of("a", 1)), List.of(), ChartValues.empty());
    var inline = new CentralValues(ChartValues.empty(), List.of(), values(Map.of("a", 1)));

    assertThat(revision(1, "d", referenced).hash()).isEqualTo(revision(1, "d", inline).hash());
  }

  @Test
  void another_selector_is_another_revision() {
    var one =
        new CentralValues(
            ChartValues.empty(),
            List.of(new ForClusters(RING, values(Map.of("a", 1)))),
            ChartValues.empty());
    var other =
        new CentralValues(
            ChartValues.empty(),
            List.of(new ForClusters(TargetSelector.EVERYTHING, values(Map.of("a", 1)))),
            ChartValues.empty());

    assertThat(revision(1, "d", one).hash()).isNotEqualTo(revision(1, "d", other).hash());
  }

  @Test
  void what_is_stored_comes_back_as_it_was_and_keeps_what_is_secret() {
    var secret = values(Map.of("password", "hunter2", "n", 12345678901L)).asSecret();
    var chart = CHART.openedBy(new RepoSecrets(new SecretRef("krypton", "login"), null));
    var revision =
        ClassRevision.of(
            "gold",
            7,
            chart,
            "digest",
            new CentralValues(secret, VALUES.byCluster(), VALUES.inline()));

    var stored = RevisionSecrets.encode(revision, "krypton");
    var decoded = RevisionSecrets.decode("gold", stored).orElseThrow();

    assertThat(stored.getMetadata().getName()).isEqualTo("gold-r7");
    assertThat(stored.getType()).isEqualTo("mesh.openkcm.io/class-revision");
    assertThat(stored.getImmutable()).isTrue();
    assertThat(decoded).isEqualTo(revision);
    assertThat(decoded.values().referenced().secrets()).contains("hunter2");
    assertThat(decoded.toString() + decoded.values()).doesNotContain("hunter2");
  }

  @Test
  void a_secret_that_is_no_revision_is_left_alone() {
    var stored = RevisionSecrets.encode(revision(1, "d", VALUES), "krypton");
    stored.setData(
        Map.of(
            "revision.json",
            Base64.getEncoder().encodeToString("{\"secret\": 1".getBytes(StandardCharsets.UTF_8))));

    assertThat(RevisionSecrets.decode("gold", stored)).isEmpty();
    stored.setData(Map.of());
    assertThat(RevisionSecrets.decode("gold", stored)).isEmpty();
  }
}
