// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class AccessIT {
  @Test
  void a_plain_user_may_do_nothing_and_a_group_what_it_is_bound_to(
      @Cluster("home") ControlPlane home, @Cluster("home") TestNamespace namespace) {
    var rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace.name();
    home.admin()
        .post(
            rbac + "/rolebindings",
            """
            {"metadata": {"name": "readers"},
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
             "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "readers"}]}
            """)
        .orThrow();
    try (var stranger = new KubeApi(home.access("jane"));
        var reader = new KubeApi(home.access("jane", "readers"))) {
      assertThat(stranger.get(namespace.path() + "/configmaps").status()).isEqualTo(403);
      await().until(() -> reader.get(namespace.path() + "/configmaps").ok());
      assertThat(reader.get(namespace.path() + "/secrets").status()).isEqualTo(403);
    }
  }

  @Test
  void a_kubeconfig_of_one_control_plane_is_worth_nothing_at_another(
      @Cluster("home") ControlPlane home, @Cluster("away") ControlPlane away) {
    var stolen = home.access("admin", "system:masters");
    var misused =
        new SandboxKubeconfig(
            "away", away.url(), away.access("any").authority(), "admin", stolen.identity());
    try (var thief = new KubeApi(misused)) {
      var answer = thief.get("/api/v1/secrets");
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.body().path("message").asText()).contains("system:anonymous");
    }
  }

  @Test
  void kubectl_understands_the_kubeconfig(
      @Cluster("home") ControlPlane home, @TempDir Path directory)
      throws IOException, InterruptedException {
    var file = Files.writeString(directory.resolve("kubeconfig"), home.adminKubeconfig());
    var kubectl = Assets.fromEnvironment().find(Binary.KUBECTL).toString();

    var process =
        new ProcessBuilder(kubectl, "--kubeconfig=" + file, "auth", "whoami", "--output=json")
            .redirectErrorStream(true)
            .start();

    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("\"username\": \"admin\"", "system:masters");
  }

  @Test
  void service_accounts_get_tokens_that_the_api_server_accepts(@Cluster("home") ControlPlane home) {
    var admin = home.admin();
    var token =
        admin
            .post("/api/v1/namespaces/default/serviceaccounts/default/token", "{\"spec\": {}}")
            .orThrow()
            .at("/status/token")
            .textValue();

    var review =
        admin
            .post(
                "/apis/authentication.k8s.io/v1/tokenreviews",
                "{\"spec\": {\"token\": \"%s\"}}".formatted(token))
            .orThrow();

    assertThat(review.at("/status/authenticated").booleanValue()).isTrue();
    assertThat(review.at("/status/user/username").textValue())
        .isEqualTo("system:serviceaccount:default:default");
  }
}
