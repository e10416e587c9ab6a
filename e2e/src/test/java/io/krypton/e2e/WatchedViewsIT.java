// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * {@code --watch} hears of changes from the API servers: without a change it looks again only every
 * 30 s, so whatever shows sooner came by a watch.
 */
@ExtendWith(ControlPlaneExtension.class)
@ResourceLock(Fleet.DEFAULT_NAMESPACE)
class WatchedViewsIT {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration SOON = Duration.ofSeconds(25);
  private static final String NAMESPACE = "watched";
  private static final Path CRD =
      Shell.ROOT.resolve("charts/krypton-operator/files/crds/tenants.mesh.openkcm.io.yaml");

  @TempDir Path directory;
  private final List<Process> views = new ArrayList<>();

  @BeforeEach
  void crds(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge)
      throws Exception {
    for (var plane : new ControlPlane[] {home, edge}) {
      var kubeconfig = kubeconfig(plane);
      var applied =
          new Shell(directory)
              .run(
                  START,
                  Assets.fromEnvironment().find(Binary.KUBECTL).toString(),
                  "--kubeconfig=" + kubeconfig,
                  "apply",
                  "--server-side",
                  "--force-conflicts",
                  "-f",
                  CRD.toString());
      assertThat(applied.exit()).as(applied.err()).isZero();
    }
    await()
        .atMost(START)
        .untilAsserted(
            () ->
                assertThat(edge.admin().get("/apis/mesh.openkcm.io/v1alpha1/tenants").status())
                    .isEqualTo(200));
  }

  @AfterEach
  void end() throws InterruptedException {
    for (var view : views) {
      view.destroyForcibly().waitFor();
    }
  }

  @Test
  void a_changed_tenant_shows_at_once_and_the_others_are_not_repeated(
      @Cluster("edge") ControlPlane edge) throws Exception {
    var only = "watched=tenants";
    Fleet.tenant(edge, "watched-a", "{}");
    Fleet.tenant(edge, "watched-b", "{}");
    try {
      Fleet.patch(edge, "watched-a", labelled("tenants"));
      Fleet.patch(edge, "watched-b", labelled("tenants"));
      var out = watch(edge, "tenants", "--selector=" + only, "-o", "wide");
      shows(out, START, "watched-a", 1);
      shows(out, START, "watched-b", 1);

      Fleet.patch(edge, "watched-b/status", "{\"status\":{\"phase\":\"Ready\"}}");

      shows(out, SOON, "watched-b", 2);
      assertThat(lines(out, "watched-a")).isEqualTo(1);
    } finally {
      Fleet.delete(edge, "watched-a");
      Fleet.delete(edge, "watched-b");
    }
  }

  @Test
  void a_tenant_on_another_cluster_and_a_cluster_that_joins_show_in_the_fleet(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    Fleet.namespace(home, NAMESPACE);
    Fleet.register(home, NAMESPACE, "watched-1", edge.adminKubeconfig());
    var out = watch(home, "clusters", "-n", NAMESPACE);
    shows(out, START, "watched-1 +Reachable", 1);
    try {
      Fleet.tenant(edge, "watched-c", "{}");
      shows(out, SOON, "watched-1 +Reachable", 2);

      Fleet.register(home, NAMESPACE, "watched-2", "users: [{user: {exec: {command: evil}}}]");
      shows(out, SOON, "watched-2 +Rejected", 1);
    } finally {
      Fleet.delete(edge, "watched-c");
    }
  }

  private static String labelled(String value) {
    return "{\"metadata\":{\"labels\":{\"watched\":\"%s\"}}}".formatted(value);
  }

  private Path watch(ControlPlane plane, String... arguments) throws IOException {
    var out = directory.resolve("out");
    var command = new ArrayList<String>();
    command.add(Shell.KRYPTON.toString());
    command.addAll(List.of(arguments));
    command.add("--watch");
    views.add(
        new Shell(directory)
            .with("KUBECONFIG", kubeconfig(plane).toString())
            .start(out, directory.resolve("err"), command.toArray(String[]::new)));
    return out;
  }

  private Path kubeconfig(ControlPlane plane) throws IOException {
    return Files.writeString(
        directory.resolve(plane.name() + ".kubeconfig"), plane.adminKubeconfig());
  }

  private void shows(Path out, Duration limit, String pattern, int times) {
    await()
        .atMost(limit)
        .untilAsserted(
            () ->
                assertThat(lines(out, pattern))
                    .as(Files.readString(out) + Files.readString(directory.resolve("err")))
                    .isGreaterThanOrEqualTo(times));
  }

  private static long lines(Path out, String pattern) throws IOException {
    return Files.readString(out)
        .lines()
        .filter(line -> line.matches(".*" + pattern + ".*"))
        .count();
  }
}
