// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Deployments.region;
import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.krypton.e2e.Deployments.Address;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Helm hangs on some clusters; the others must not notice. */
@ExtendWith(ControlPlaneExtension.class)
@Order(8)
class SlowClustersIT {
  /** A few seconds, on any machine; whoever waits for a slow cluster waits for minutes. */
  private static final Duration SOON = Duration.ofSeconds(45);

  private static final int WORKERS = 16;

  /** Fewer than workers, as by default: who waits for Helm must not hold up who does not. */
  private static final int HELM_PROCESSES = 8;

  /** More than there are workers for all clusters together. */
  private static final int TOO_MANY = 20;

  @TempDir Path directory;

  private BlockedHelm helm;

  @BeforeEach
  void wrapHelm() throws Exception {
    helm = BlockedHelm.in(directory.resolve("wrapped"));
  }

  @Test
  void tenants_of_two_slow_clusters_stop_none_of_a_third_and_a_rotation_ends_no_helm_run(
      @Cluster("home") ControlPlane home,
      @Cluster("edge") ControlPlane edge,
      @Cluster("edge02") ControlPlane edge02,
      @Cluster("watch") ControlPlane watch)
      throws Exception {
    for (var plane : List.of(home, edge, edge02, watch)) {
      Fleet.namespace(plane, "slow");
    }
    Fleet.register(home, "slow", "slow-one", edge.adminKubeconfig());
    Fleet.register(home, "slow", "slow-two", edge02.adminKubeconfig());
    Fleet.register(home, "slow", "quick", watch.adminKubeconfig());
    var one = new Tenants(edge, "slow", "slow-one");
    var two = new Tenants(edge02, "slow", "slow-two");
    var quick = new Tenants(watch, "slow", "quick");
    helm.block(edge);
    helm.block(edge02);
    try (var operator = start(home, "slow", "app", "--controllers=tenants")) {
      for (var cluster : List.of("slow-one", "slow-two", "quick")) {
        eventually("engaged", () -> assertThat(operator.hasEngaged(cluster)).isTrue());
      }
      for (var i = 1; i <= TOO_MANY; i++) {
        one.create("slow-a" + i, "{}");
        two.create("slow-b" + i, "{}");
      }
      eventually(
          "both are blocked, and all wait",
          () -> {
            assertThat(helm.begun(edge)).isNotEmpty();
            assertThat(helm.begun(edge02)).isNotEmpty();
            assertThat(isMarked(one.get("slow-a" + TOO_MANY))).isTrue();
            assertThat(isMarked(two.get("slow-b" + TOO_MANY))).isTrue();
          });
      quick.create("slow-c1", "{}");
      quick.create("slow-c2", "{}");
      soon(
          () ->
              assertThat(List.of(quick.phase("slow-c1"), quick.phase("slow-c2")))
                  .containsOnly("Ready"));

      var mark = edge.audit().mark();
      home.admin()
          .send(
              home.admin()
                  .request("/api/v1/namespaces/slow/secrets/slow-one")
                  .header("Content-Type", "application/merge-patch+json")
                  .method(
                      "PATCH",
                      HttpRequest.BodyPublishers.ofString(
                          "{\"stringData\":{\"kubeconfig\":%s}}"
                              .formatted(
                                  TextNode.valueOf(
                                      edge.kubeconfigFor("slow-rotated", "system:masters"))))))
          .orThrow();
      eventually(
          "the new kubeconfig is in use",
          () ->
              assertThat(edge.audit().since(mark).by("slow-rotated").records())
                  .anyMatch(request -> request.uri().contains("/tenants")));
      var begun = helm.begun(edge).size();
      assertThat(helm.terminated(edge)).as(operator.log()).isEmpty();
      helm.release(edge);
      eventually(
          "what had begun has ended well, and the rest followed",
          () ->
              assertThat(one.all())
                  .as(operator.log())
                  .extracting(tenant -> tenant.at("/status/phase").asText())
                  .containsOnly("Ready"));
      assertThat(begun).isPositive();
      assertThat(helm.terminated(edge)).isEmpty();
    }
  }

  @Test
  void more_deletions_than_workers_on_a_slow_edge_stop_no_deployment_on_another(
      @Cluster("home") ControlPlane home,
      @Cluster("edge") ControlPlane edge,
      @Cluster("edge02") ControlPlane edge02)
      throws Exception {
    Fleet.namespace(home, "sluggish");
    var deployments = new Deployments(home);
    deployments.secret("sluggish", "slow-kubeconfig", "kubeconfig", edge.adminKubeconfig());
    deployments.secret("sluggish", "quick-kubeconfig", "kubeconfig", edge02.adminKubeconfig());
    helm.block(edge);
    try (var operator =
        start(home, "sluggish", "echo", "--controllers=deployments", "--ensure-watch-crds")) {
      var slow = new ArrayList<Address>();
      for (var i = 1; i <= TOO_MANY; i++) {
        var name = "sluggish-" + i;
        eventually(
            "created once the definition is there",
            () -> slow.add(deployments.create("sluggish", name, "acme", region("slow"))));
      }
      for (var id : slow) {
        eventually(
            "its turn at Helm is all it waits for",
            () -> assertThat(isRouted(home.admin().get(id.path()).body())).isTrue());
        namespace(edge, id.name());
        pretendRelease(edge, id, home.admin().get(id.path()).body().at("/metadata/uid").asText());
        deployments.delete(id);
      }
      eventually("Helm hangs there", () -> assertThat(helm.begun(edge)).isNotEmpty());

      var quick = deployments.create("sluggish", "brisk", "acme", region("quick"));
      soon(
          () ->
              assertThat(deployments.summary(quick))
                  .as(operator.log())
                  .isEqualTo("Ready True/Deployed"));
      assertThat(slow).noneMatch(deployments::isGone);

      for (var id : slow) {
        edge.admin().delete(secretsOf(id) + "/" + secretOf(id)).orThrow();
      }
      helm.release(edge);
      eventually(
          "what waited goes on once Helm does",
          () -> assertThat(slow).as(operator.log()).allMatch(deployments::isGone));
    }
  }

  /** It has its finalizer; its namespace comes with its turn at Helm. */
  private static boolean isMarked(JsonNode object) {
    return !object.at("/metadata/finalizers").isEmpty();
  }

  /** Its status names the region, too: until then a deletion has nothing to clean up. */
  private static boolean isRouted(JsonNode object) {
    return isMarked(object) && !object.at("/status/target").asText().isEmpty();
  }

  /** Who had a turn has one already. */
  private static void namespace(ControlPlane edge, String name) {
    var answer =
        edge.admin().post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    assertThat(answer.status()).isIn(201, 409);
  }

  /** As Helm leaves it, except for its content: enough to make a deletion need Helm. */
  private static void pretendRelease(ControlPlane edge, Address id, String uid) {
    edge.admin()
        .post(
            secretsOf(id),
            """
            {"metadata":{"name":"%s",
              "labels":{"owner":"helm","name":"%s","status":"failed","version":"1",
                "mesh.openkcm.io/owner-uid":"%s"}},"type":"helm.sh/release.v1"}
            """
                .formatted(secretOf(id), id.release(), uid))
        .orThrow();
  }

  private static String secretsOf(Address id) {
    return "/api/v1/namespaces/%s/secrets".formatted(id.name());
  }

  private static String secretOf(Address id) {
    return "sh.helm.release.v1.%s.v1".formatted(id.release());
  }

  private static void soon(ThrowingRunnable assertion) {
    var begun = System.nanoTime();
    await().atMost(SOON).untilAsserted(assertion);
    System.out.printf("after %d ms%n", (System.nanoTime() - begun) / 1_000_000);
  }

  private Operator start(ControlPlane home, String namespace, String chart, String... flags)
      throws Exception {
    var all =
        new ArrayList<>(
            List.of(
                "-chart-repo=" + Operators.chart(chart),
                "-chart-name=" + chart,
                "-chart-version=0.1.0",
                "--watch-namespaces=" + namespace,
                "--check-interval=60s",
                "--workers=" + WORKERS,
                "--helm-concurrency=" + HELM_PROCESSES,
                helm.flag()));
    all.addAll(List.of(flags));
    return Operators.start(directory, home, namespace, all);
  }
}
