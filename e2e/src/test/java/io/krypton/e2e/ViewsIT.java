// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What a person at a prompt sees of a fleet, plans for it and does to it. */
@ExtendWith(ControlPlaneExtension.class)
@ResourceLock(Fleet.DEFAULT_NAMESPACE)
@Order(13)
class ViewsIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String NAMESPACE = "views";
  private static final String CHART =
      Shell.ROOT.resolve("e2e/src/test/resources/charts/echo").toString();

  @TempDir Path directory;

  @Test
  void a_fleet_is_seen_explained_planned_for_and_acted_on(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    var onHome = new Prompt(home.adminKubeconfig());
    var onEdge = new Prompt(edge.adminKubeconfig());
    Fleet.namespace(home, NAMESPACE);
    Fleet.register(home, NAMESPACE, "views-1", edge.adminKubeconfig());
    Fleet.register(home, NAMESPACE, "views-dead", unreachable(edge));
    Fleet.register(home, NAMESPACE, "views-odd", "users: [{user: {exec: {command: evil}}}]");
    try (var operator =
        Operators.start(directory, home, NAMESPACE, "echo", "--check-interval=2s")) {
      eventually(
          "engaged",
          () -> assertThat(operator.metrics("/status").body()).contains("\"state\":\"Engaged\""));
      Fleet.tenant(
          edge,
          "views-acme",
          "{\"workspace\":\"views-acme-ws\",\"clusterRef\":{\"secretName\":\"views-1\"}}");
      eventually(
          "ready",
          () -> assertThat(Fleet.phase(edge, "views-acme")).as(operator.log()).isEqualTo("Ready"));
      // Tenants of other tests may be around.
      Fleet.patch(edge, "views-acme", "{\"metadata\":{\"labels\":{\"of\":\"views\"}}}");

      theFleetIsSeen(onHome, onEdge);
      aChangeIsPlanned(onHome);
      theOperatorIsAsked(onEdge, edge);
      aFailureIsExplained(onEdge, edge);
    } finally {
      Fleet.delete(edge, "views-acme");
      Fleet.delete(edge, "views-bad");
    }
  }

  private static void theFleetIsSeen(Prompt onHome, Prompt onEdge) throws Exception {
    eventually(
        "each cluster with its state",
        () -> {
          var status = onHome.krypton("status", "-n", NAMESPACE);
          assertThat(status.exit()).as(status.err()).isZero();
          assertThat(status.out())
              .contains("Clusters  3: ", "Tenants   ")
              .containsPattern("views-1 +Engaged +v1\\.\\d+\\.\\d+ +[1-9]")
              .containsPattern("views-dead +Unreachable ")
              .containsPattern("views-odd +Rejected ")
              .doesNotContain("\033[");
        });

    var clusters = onHome.krypton("clusters", "-n", NAMESPACE, "-o", "json");
    assertThat(new JsonMapper().readTree(clusters.out()).path("clusters"))
        .extracting(cluster -> cluster.path("name").asText())
        .containsExactly("views-1", "views-dead", "views-odd");

    assertThat(onEdge.krypton("tenants", "-A", "--no-headers").out())
        .containsPattern("default +views-acme +Ready +Deployed +views-acme-ws");
  }

  private void aChangeIsPlanned(Prompt onHome) throws Exception {
    var same = onHome.krypton(plan());
    assertThat(same.exit()).as(same.err() + same.out()).isZero();
    assertThat(same.out()).contains("1 unchanged");

    var values = Files.writeString(directory.resolve("values.yaml"), "message: bye\n");
    var other = onHome.krypton(plan("--chart-values-file", values.toString()));
    assertThat(other.exit()).as(other.err() + other.out()).isEqualTo(3);
    assertThat(other.out())
        .contains("would upgrade", "-  message: hello", "+  message: bye", "1 would upgrade")
        .doesNotContain("Deployment");

    // A dead cluster is told, and the plan is no success: somebody might rely on it.
    var dead =
        onHome.krypton(
            "plan",
            "-n",
            NAMESPACE,
            "--cluster=views-dead",
            "--data-dir=" + directory.resolve("plan"));
    assertThat(dead.exit()).isEqualTo(1);
    assertThat(dead.err()).startsWith("cluster views-dead: ");
  }

  private String[] plan(String... more) {
    var all =
        new ArrayList<>(
            List.of(
                "plan",
                "--exit-code",
                "--namespace=" + NAMESPACE,
                "--cluster=views-1",
                "--selector=of=views",
                "--chart-repo=" + CHART,
                "--chart-name=echo",
                "--chart-version=0.1.0",
                "--helm-binary=" + Assets.fromEnvironment().find(Binary.HELM),
                "--data-dir=" + directory.resolve("plan")));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static void theOperatorIsAsked(Prompt onEdge, ControlPlane edge) throws Exception {
    assertThat(onEdge.krypton("suspend", "tenant/views-acme", "--wait").out())
        .contains(
            "tenant.mesh.openkcm.io/views-acme suspended",
            "tenant.mesh.openkcm.io/views-acme: Ready (Suspended)");
    var inVain = onEdge.krypton("reconcile", "tn", "views-acme");
    assertThat(inVain.exit()).isEqualTo(1);
    assertThat(inVain.err()).contains("is suspended").hasLineCount(1);
    assertThat(onEdge.krypton("resume", "tn", "views-acme").exit()).isZero();

    var forced = onEdge.krypton("reconcile", "tenants/views-acme", "--force", "--wait");
    assertThat(forced.exit()).as(forced.err()).isZero();
    assertThat(Fleet.revisions(edge, "views-acme-ws", "tenant-views-acme-views-1"))
        .containsExactly("superseded", "deployed");
  }

  private static void aFailureIsExplained(Prompt onEdge, ControlPlane edge) throws Exception {
    Fleet.tenant(
        edge,
        "views-bad",
        "{\"values\":{\"replicas\":\"many\"},\"clusterRef\":{\"secretName\":\"views-1\"}}");
    eventually("failed", () -> assertThat(Fleet.phase(edge, "views-bad")).isEqualTo("Error"));

    eventually(
        "explained, with the events that come after the status",
        () -> {
          var explained = onEdge.krypton("explain", "tn/views-bad");
          assertThat(explained.exit()).as(explained.err()).isZero();
          assertThat(explained.out())
              .startsWith("Tenant default/views-bad: ")
              .containsSubsequence(
                  "spec.replicas",
                  "What happened",
                  "Why",
                  "(as above)",
                  "What next",
                  "InstallFailed: Read Helm's");
        });
  }

  @Test
  void those_with_few_rights_or_a_wrong_address_get_one_line(@Cluster("home") ControlPlane home)
      throws Exception {
    var poor = new Prompt(home.kubeconfigFor("views-poor"));
    var status = poor.krypton("status", "-n", "kube-system");
    assertThat(status.exit()).as(status.err()).isZero();
    assertThat(status.err()).contains("you may not list Secrets in namespace kube-system");
    assertThat(status.out()).contains("(this cluster)");

    var missing = new Prompt(home.adminKubeconfig()).krypton("tenants", "views-nobody");
    assertThat(missing.exit()).isEqualTo(1);
    assertThat(missing.err()).startsWith("krypton tenants: tenant").hasLineCount(1);

    var nowhere = new Prompt(unreachable(home)).krypton("tenants");
    assertThat(nowhere.exit()).isEqualTo(1);
    assertThat(nowhere.err())
        .contains("cannot be reached: connection refused or lost")
        .hasLineCount(1);

    // Who the server sees is who the credential program says.
    var byProgram = new Prompt(withCredentialProgram(home)).krypton("tenants");
    assertThat(byProgram.exit()).isEqualTo(1);
    assertThat(byProgram.err()).contains("system:serviceaccount:default:default").hasLineCount(1);

    var link = directory.resolve("kubectl-krypton");
    Files.createSymbolicLink(link, Shell.ROOT.resolve("dist/bin/kubectl-krypton"));
    var plugin =
        new Shell(directory)
            .with("PATH", directory + ":" + System.getenv("PATH"))
            .run(
                LIMIT,
                Assets.fromEnvironment().find(Binary.KUBECTL).toString(),
                "krypton",
                "tenants",
                "--context=nowhere",
                "--kubeconfig=" + poor.kubeconfig);
    assertThat(plugin.exit()).isEqualTo(2);
    assertThat(plugin.err()).contains("context 'nowhere' is not in").hasLineCount(1);
  }

  private String withCredentialProgram(ControlPlane plane) throws IOException {
    var token =
        plane
            .admin()
            .post("/api/v1/namespaces/default/serviceaccounts/default/token", "{\"spec\":{}}")
            .orThrow()
            .path("status")
            .path("token")
            .asText();
    var answer =
        Files.writeString(
            directory.resolve("credential.json"),
            """
            {"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}
            """
                .formatted(token));
    return """
    apiVersion: v1
    kind: Config
    current-context: c
    contexts: [{name: c, context: {cluster: c, user: u}}]
    clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
    users:
    - name: u
      user:
        exec:
          apiVersion: client.authentication.k8s.io/v1
          command: cat
          args: [%s]
          interactiveMode: Never
    """
        .formatted(
            plane.url(),
            Base64.getEncoder().encodeToString(plane.caPem().getBytes(StandardCharsets.UTF_8)),
            answer);
  }

  private static String unreachable(ControlPlane plane) {
    return plane.adminKubeconfig().replace(plane.url().toString(), "https://127.0.0.1:1");
  }

  /** A shell whose KUBECONFIG leads to one cluster. */
  private final class Prompt {
    private final Path kubeconfig;

    Prompt(String content) throws IOException {
      kubeconfig = Files.writeString(Files.createTempFile(directory, "prompt", ".yaml"), content);
    }

    Shell.Result krypton(String... arguments) throws IOException, InterruptedException {
      var command = new ArrayList<>(List.of(Shell.KRYPTON.toString()));
      command.addAll(List.of(arguments));
      return new Shell(directory)
          .with("KUBECONFIG", kubeconfig.toString())
          .run(LIMIT, command.toArray(String[]::new));
    }
  }
}
