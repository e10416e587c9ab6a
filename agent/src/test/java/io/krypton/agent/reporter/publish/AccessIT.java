// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static io.krypton.agent.reporter.publish.Samples.HEALTHY_PLUGIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.lab.TargetObject;
import io.krypton.agent.reporter.config.ReporterSettings.Heartbeat;
import io.krypton.agent.reporter.publish.PublishStatus.WriteKind;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Credentials, rights and objects that are missing, wrong, or come later. */
@ExtendWith(ControlPlaneExtension.class)
class AccessIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;
  private final ControlPlane plane;
  private final TargetObject target;
  private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);

  AccessIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    this.target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
  }

  @Test
  void a_token_file_that_is_rotated_is_followed(@Cluster("agent") TestNamespace namespace)
      throws IOException {
    var token = directory.resolve("token");
    Files.writeString(token, "not-a-token-of-this-cluster");
    try (var lab = PublisherLab.start(directory, tokenKubeconfig(""), target, node)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "unauthorized") >= 2);
      assertThat(lab.journal().lastError()).get().asString().contains("unauthorized: 401");

      Files.writeString(token, tokenOfAnAdmin(namespace) + "\n");

      await().atMost(SOON).until(() -> status().equals("True"));
    }
  }

  @Test
  void another_tls_name_reaches_the_server_by_localhost(@Cluster("agent") TestNamespace namespace)
      throws IOException {
    Files.writeString(directory.resolve("token"), tokenOfAnAdmin(namespace));
    try (var lab =
        PublisherLab.start(
            directory, tokenKubeconfig("tls-server-name: kubernetes.default.svc"), target, node)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> status().equals("True"));
    }
  }

  @Test
  void a_tls_name_that_the_certificate_lacks_is_refused() throws IOException {
    Files.writeString(directory.resolve("token"), "t");
    try (var lab =
        PublisherLab.start(
            directory, tokenKubeconfig("tls-server-name: elsewhere.example"), target, node)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "unreachable") >= 1);
      assertThat(lab.journal().lastError()).get().asString().contains("elsewhere.example");
    }
  }

  @Test
  void a_kubeconfig_that_appears_later_is_used_by_the_same_process() throws IOException {
    try (var lab = PublisherLab.start(directory, "", target, node)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "no-access") >= 2);
      assertThat(lab.journal().lastError()).get().asString().contains("is empty");

      Files.writeString(directory.resolve(node + ".kubeconfig"), plane.adminKubeconfig());

      await().atMost(SOON).until(() -> status().equals("True"));
    }
  }

  @Test
  void missing_rights_are_asked_for_ever_more_seldom_until_they_are_given() {
    var user = "weak-" + node;
    var mark = plane.audit().mark();
    try (var lab = PublisherLab.start(directory, plane.kubeconfigFor(user), target, node)) {
      lab.sees(HEALTHY_PLUGIN);
      lab.ticks();
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "forbidden") >= 4);
      var asked = plane.audit().since(mark).by(user);
      assertThat(asked.on("leases").size()).isZero();

      grant(user);

      await().atMost(SOON).until(() -> status().equals("True"));
      await().atMost(SOON).until(() -> lab.writes(WriteKind.LEASE, "forbidden") == 1);
    }
  }

  @Test
  void a_missing_object_is_not_made_but_awaited() {
    var later = new TargetObject(plane, ReportTarget.KUBEAPISERVER);
    later.installType();
    plane.admin().delete(later.path());
    try (var lab = PublisherLab.start(directory, plane.adminKubeconfig(), later, node)) {
      lab.sees(HEALTHY_PLUGIN);
      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "not-found") >= 2);
      assertThat(plane.admin().get(later.path()).status()).isEqualTo(404);

      await().atMost(SOON).until(() -> later.create().ok());

      await().atMost(SOON).until(() -> !later.condition(node).isMissingNode());
    }
  }

  @Test
  void a_missing_namespace_for_leases_makes_the_report_the_heartbeat() {
    try (var lab =
        PublisherLab.start(
            directory, plane.adminKubeconfig(), target, node, "lease-namespace", "no-such")) {
      lab.sees(HEALTHY_PLUGIN);
      for (int tick = 1; tick <= 3; tick++) {
        lab.ticks();
        int tries = tick;
        await().atMost(SOON).until(() -> lab.writes(WriteKind.LEASE, "not-found") == tries);
      }
      var before = lab.writes(WriteKind.REPORT, "written");
      lab.ticks();

      await().atMost(SOON).until(() -> lab.writes(WriteKind.REPORT, "written") > before);
      assertThat(lab.journal().heartbeat()).isEqualTo(Heartbeat.CONDITION);
    }
  }

  private String status() {
    return target.condition(node).path("status").asText();
  }

  private String tokenKubeconfig(String tlsName) throws IOException {
    Files.writeString(directory.resolve("ca.crt"), plane.caPem());
    return """
    current-context: here
    contexts: [{name: here, context: {cluster: c, user: u}}]
    clusters:
    - name: c
      cluster:
        server: https://localhost:%d
        certificate-authority: ca.crt
        %s
    users:
    - name: u
      user: {tokenFile: token}
    """
        .formatted(plane.url().getPort(), tlsName);
  }

  /** A token of a new service account that may do everything. */
  private String tokenOfAnAdmin(TestNamespace namespace) {
    var admin = plane.admin();
    admin
        .post(namespace.path() + "/serviceaccounts", "{\"metadata\": {\"name\": \"reporter\"}}")
        .orThrow();
    bind(
        "{\"kind\": \"ServiceAccount\", \"name\": \"reporter\", \"namespace\": \"%s\"}"
            .formatted(namespace.name()),
        "cluster-admin");
    return admin
        .post(namespace.path() + "/serviceaccounts/reporter/token", "{\"spec\": {}}")
        .orThrow()
        .at("/status/token")
        .asText();
  }

  private void grant(String user) {
    plane
        .admin()
        .apply(
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/" + node,
            "lab",
            """
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
             "metadata": {"name": "%s"}, "rules": [{"apiGroups": ["mesh.openkcm.io"],
             "resources": ["kmshealths/status"], "verbs": ["get", "patch"]}]}
            """
                .formatted(node))
        .orThrow();
    bind(
        "{\"apiGroup\": \"rbac.authorization.k8s.io\", \"kind\": \"User\", \"name\": \"%s\"}"
            .formatted(user),
        node);
  }

  private void bind(String subject, String role) {
    plane
        .admin()
        .apply(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/" + node,
            "lab",
            """
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
             "metadata": {"name": "%s"},
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole",
                         "name": "%s"},
             "subjects": [%s]}
            """
                .formatted(node, role, subject))
        .orThrow();
  }
}
