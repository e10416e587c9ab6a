// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both engines leave the same behind, step by step through the life of a release: the stored
 * revisions but for times, labels, objects, and who manages which of their fields.
 */
@ExtendWith(ControlPlaneExtension.class)
class EngineComparisonIT {
  private static final String RELEASE = "web";

  /** A chart as people write them, with values for an install and for an upgrade. */
  record Compared(String chart, Map<String, ?> first, Map<String, ?> second) {
    static Stream<Compared> all() {
      var text = Map.of("text", "new");
      return Stream.of(
          new Compared(
              "umbrella",
              Map.of("greeting", "hi"),
              Map.of("database", Map.of("enabled", false), "sessions", Map.of("enabled", true))),
          new Compared("hooks", Map.of(), text),
          new Compared("operatorlike", Map.of(), Map.of("size", 2)),
          new Compared("lookup", Map.of(), text),
          new Compared("sixty", Map.of(), Map.of("text", "new", "count", 14)),
          new Compared("workload", Map.of(), Map.of("image", "example.test/web:2")),
          new Compared("definitions", Map.of(), text));
    }

    @Override
    public String toString() {
      return chart;
    }
  }

  @ParameterizedTest
  @MethodSource("io.krypton.operator.release.helm.EngineComparisonIT$Compared#all")
  void a_release_is_the_same_whoever_makes_it(
      Compared compared,
      @Cluster("compared") TestNamespace one,
      @Cluster("compared") TestNamespace other,
      @TempDir Path directory)
      throws IOException {
    var archive = TestCharts.packed(compared.chart);
    var byCli =
        life(Engine.CLI, one, directory.resolve("c"), archive, compared.first, compared.second);
    var byWorker =
        life(
            Engine.WORKER, other, directory.resolve("w"), archive, compared.first, compared.second);
    for (var step = 0; step < byCli.size(); step++) {
      assertThat(byWorker.get(step)).isEqualTo(byCli.get(step));
    }
    assertThat(byWorker).hasSameSizeAs(byCli);
  }

  @Test
  void a_release_as_large_as_a_secret_can_be(
      @Cluster("compared") TestNamespace one,
      @Cluster("compared") TestNamespace other,
      @TempDir Path directory)
      throws IOException {
    var archive = largeChart(directory);
    var byCli = life(Engine.CLI, one, directory.resolve("c"), archive, Map.of(), Map.of("a", 1));
    var byWorker =
        life(Engine.WORKER, other, directory.resolve("w"), archive, Map.of(), Map.of("a", 1));
    assertThat(byWorker).isEqualTo(byCli);
  }

  /** What there is after each step. */
  private static List<String> life(
      Engine which,
      TestNamespace namespace,
      Path directory,
      Path chart,
      Map<String, ?> first,
      Map<String, ?> second)
      throws IOException {
    Files.createDirectories(directory);
    var plane = namespace.controlPlane();
    plane.admin().apply(namespace.path() + "/configmaps/already-there", "test", THERE).orThrow();
    var seen = new ArrayList<String>();
    try (var helm = RealHelm.in(namespace, directory, which)) {
      var release = helm.release(RELEASE);
      var snapshot = new ClusterSnapshot(namespace, RELEASE);
      for (var operation :
          List.of(
              release.install(chart, first),
              release.upgrade(chart, second),
              release.rollback(1),
              release.uninstall())) {
        assertThat(helm.client().run(operation))
            .as("%s by %s", operation.action(), which)
            .isInstanceOf(HelmResult.Done.class);
        seen.add(operation.action() + ":\n" + snapshot.take());
      }
    } finally {
      removeDefinitions(plane);
    }
    return seen;
  }

  private static final String THERE =
      """
      {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "already-there"},
       "data": {"text": "found"}}
      """;

  /** They belong to no namespace, and Helm leaves those of {@code crds/} behind. */
  private static void removeDefinitions(ControlPlane plane) {
    for (var path : ClusterSnapshot.CLUSTER_SCOPED) {
      plane.admin().delete(path);
      await().until(() -> !plane.admin().get(path).ok());
    }
  }

  /** Its content cannot be compressed, so that the stored release comes close to a mebibyte. */
  private static Path largeChart(Path directory) throws IOException {
    var random = new byte[330_000];
    new Random(7).nextBytes(random);
    var chart = Files.createDirectories(directory.resolve("large"));
    Files.createDirectories(chart.resolve("templates"));
    Files.writeString(chart.resolve("Chart.yaml"), "apiVersion: v2\nname: large\nversion: 1.0.0\n");
    Files.writeString(chart.resolve("values.yaml"), "a: 0\n");
    Files.writeString(
        chart.resolve("templates/configmap.yaml"),
        """
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: {{ .Release.Name }}
        data:
          a: {{ .Values.a | quote }}
          text: %s
        """
            .formatted(Base64.getEncoder().encodeToString(random)));
    return TestCharts.pack(chart, directory.resolve("packed"));
  }
}
