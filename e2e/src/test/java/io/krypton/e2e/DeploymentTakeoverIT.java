// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Deployments.region;
import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.e2e.Deployments.Address;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * KryptonDeployments of the operator before us, which kept no fingerprints: each is upgraded once.
 * Their cluster is one context of a kubeconfig file, and not its current one.
 */
@ExtendWith(ControlPlaneExtension.class)
class DeploymentTakeoverIT {
  private static final String NAMESPACE = "before";
  private static final String CRD =
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kryptondeployments.mesh.openkcm.io";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir Path directory;

  @Test
  void what_it_deployed_is_upgraded_once_and_then_left_alone(
      @Cluster("home") ControlPlane home,
      @Cluster("older") ControlPlane watch,
      @Cluster("edge") ControlPlane edge)
      throws Exception {
    Fleet.namespace(watch, NAMESPACE);
    var deployments = new Deployments(watch);
    deployments.secret(NAMESPACE, "before-kubeconfig", "kubeconfig", edge.adminKubeconfig());
    var id = olderDeployment(deployments, edge);

    try (var operator =
        Operators.start(
            directory,
            home,
            NAMESPACE,
            List.of(
                "-chart-repo=" + Operators.chart("echo"),
                "-chart-name=echo",
                "-chart-version=0.1.0",
                "--controllers=deployments",
                "--watch-kubeconfig=" + twoContexts(watch),
                "--watch-context=watch",
                "--watch-namespaces=" + NAMESPACE,
                "--check-interval=1s"))) {
      eventually(
          "taken over",
          () -> {
            assertThat(deployments.phase(id)).as(operator.log()).isEqualTo("Ready");
            assertThat(Fleet.revisions(edge, id.name(), id.release()))
                .containsExactly("superseded", "deployed");
          });
      Writes.awaitQuietRuns(operator, 3);
      eventually(
          "told and counted once",
          () -> {
            assertThat(operator.metric("krypton_helm_operations_total")).isEqualTo(1);
            assertThat(deployments.told(id, "AccountValidated")).isEqualTo(1);
          });

      aRegionThatChangesLeavesNothingBehind(deployments, id, edge, home);

      deployments.delete(id);

      eventually("gone", () -> assertThat(deployments.isGone(id)).isTrue());
      assertThat(Fleet.revisions(home, id.name(), id.release())).isEmpty();
      assertThat(Deployments.hasNamespace(edge, id.name()))
          .as("a namespace that we did not make is kept")
          .isTrue();
    }
  }

  /** The older definition has no place in the status for where an object was before. */
  private static void aRegionThatChangesLeavesNothingBehind(
      Deployments deployments, Address id, ControlPlane before, ControlPlane after) {
    deployments.secret(NAMESPACE, "after-kubeconfig", "kubeconfig", after.adminKubeconfig());
    deployments.patch(id, "{\"spec\":{\"region\":{\"name\":\"after\"}}}");
    eventually(
        "moved",
        () -> {
          assertThat(Fleet.revisions(after, id.name(), id.release())).containsExactly("deployed");
          assertThat(Fleet.revisions(before, id.name(), id.release())).isEmpty();
          assertThat(deployments.phase(id)).isEqualTo("Ready");
        });
  }

  private Address olderDeployment(Deployments deployments, ControlPlane edge) throws Exception {
    var file = "api/src/test/resources/older/kryptondeployments.mesh.openkcm.io.yaml";
    deployments
        .home()
        .admin()
        .apply(CRD, "older", Files.readString(Shell.ROOT.resolve(file)))
        .orThrow();
    Fleet.namespace(edge, "before-one");
    var kubeconfig =
        Files.writeString(directory.resolve("edge.kubeconfig"), edge.adminKubeconfig());
    run(
        Binary.HELM,
        "install",
        "ced-before-one",
        Operators.chart("echo").toString(),
        "--namespace=before-one",
        "--kubeconfig=" + kubeconfig);
    eventually(
        "served", () -> deployments.create(NAMESPACE, "before-one", "acme", region("before")));
    var id = new Address(NAMESPACE, "before-one");
    deployments.patch(
        id, "{\"metadata\":{\"finalizers\":[\"mesh.openkcm.io/kryptondeployment-finalizer\"]}}");
    return id;
  }

  private Path twoContexts(ControlPlane watch) throws Exception {
    var file = Files.writeString(directory.resolve("two.kubeconfig"), watch.adminKubeconfig());
    var one = "--kubeconfig=" + file;
    var current = run(Binary.KUBECTL, one, "config", "current-context").strip();
    run(Binary.KUBECTL, one, "config", "rename-context", current, "watch");
    run(Binary.KUBECTL, one, "config", "set-cluster", "nowhere", "--server=https://127.0.0.1:1");
    run(Binary.KUBECTL, one, "config", "set-context", "nowhere", "--cluster=nowhere");
    run(Binary.KUBECTL, one, "config", "use-context", "nowhere");
    return file;
  }

  private String run(Binary binary, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of(Assets.fromEnvironment().find(binary).toString()));
    command.addAll(List.of(arguments));
    var done = new Shell(directory).run(LIMIT, command.toArray(String[]::new));
    assertThat(done.exit()).as(done.err()).isZero();
    return done.out();
  }
}
