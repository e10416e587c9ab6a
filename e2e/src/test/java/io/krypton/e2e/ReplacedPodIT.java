// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The operator's pod is replaced, and its token with it: home stays engaged, Helm goes on. */
@ExtendWith(ControlPlaneExtension.class)
@Order(18)
class ReplacedPodIT {
  private static final String NAMESPACE = "replaced-pod";
  private static final String PODS = "/api/v1/namespaces/%s/pods".formatted(NAMESPACE);
  private static final String ACCOUNT =
      "/api/v1/namespaces/%s/serviceaccounts/default".formatted(NAMESPACE);

  @TempDir Path directory;

  private ControlPlane home;
  private Tenants tenants;
  private Path token;

  @BeforeEach
  void account(@Cluster("home") ControlPlane plane) {
    home = plane;
    tenants = new Tenants(home, NAMESPACE, "self-cluster");
    token = directory.resolve("token");
    Fleet.namespace(home, NAMESPACE);
    home.admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"metadata":{"name":"%1$s"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
             "subjects":[{"kind":"ServiceAccount","name":"default","namespace":"%1$s"}]}
            """
                .formatted(NAMESPACE))
        .orThrow();
    eventually("account", () -> assertThat(home.admin().get(ACCOUNT).status()).isEqualTo(200));
  }

  @Test
  void home_is_engaged_and_helm_works_with_the_token_of_the_pod_that_lives() throws Exception {
    var dead = tokenOf("first");
    storeSelfCluster(dead);
    home.admin().delete(PODS + "/first").orThrow();
    Files.writeString(token, tokenOf("second"));

    try (var operator = start()) {
      eventually("engaged", () -> assertThat(operator.hasEngaged("self-cluster")).isTrue());
      tenants.create("replaced-one", "{}");
      eventually("ready", () -> assertThat(tenants.phase("replaced-one")).isEqualTo("Ready"));

      var old = Files.readString(token);
      Files.writeString(token, tokenOf("third"));
      home.admin().delete(PODS + "/second").orThrow();
      eventually("refused", () -> assertThat(isRefused(old)).isTrue());
      tenants.create("replaced-two", "{}");
      eventually("ready", () -> assertThat(tenants.phase("replaced-two")).isEqualTo("Ready"));
      assertThat(tenants.events("replaced-two")).doesNotContainKey("HelmInstallFailed");
      assertThat(operator.log()).doesNotContain(dead, old, Files.readString(token));

      for (var name : new String[] {"replaced-one", "replaced-two"}) {
        tenants.delete(name);
        eventually("gone", () -> assertThat(tenants.exists(name)).isFalse());
      }
    }
  }

  private Operator start() throws Exception {
    var inline = Fleet.kubeconfig(home, "none");
    return Operator.start(
        directory,
        inline.replace("token: \"none\"", "tokenFile: \"" + token + "\""),
        "--namespace=" + NAMESPACE,
        "--watch-namespaces=" + NAMESPACE,
        "--data-dir=" + directory.resolve("data"),
        "--leader-elect=false",
        "--chart-repo=" + Operators.chart("app"),
        "--chart-name=app",
        "--chart-version=0.1.0");
  }

  /** As an operator of an earlier pod has left it. */
  private void storeSelfCluster(String stored) {
    Fleet.register(home, NAMESPACE, "self-cluster", Fleet.kubeconfig(home, stored));
    tenants
        .change(
            "/api/v1/namespaces/%s/secrets/self-cluster".formatted(NAMESPACE),
            "{\"metadata\":{\"labels\":{\"app.kubernetes.io/managed-by\":\"krypton\"}}}")
        .orThrow();
  }

  /** A token that ends with its pod, which nobody runs. */
  private String tokenOf(String pod) {
    var uid =
        home.admin()
            .post(
                PODS,
                """
                {"metadata":{"name":"%s"},"spec":{"containers":[{"name":"c","image":"none"}]}}
                """
                    .formatted(pod))
            .orThrow()
            .at("/metadata/uid")
            .asText();
    return home.admin()
        .post(
            ACCOUNT + "/token",
            """
            {"spec":{"expirationSeconds":3600,
             "boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"%s","uid":"%s"}}}
            """
                .formatted(pod, uid))
        .orThrow()
        .at("/status/token")
        .asText();
  }

  /** An API server believes a token for some seconds without looking, so it is asked for. */
  private boolean isRefused(String old) {
    var review =
        home.admin()
            .post(
                "/apis/authentication.k8s.io/v1/tokenreviews",
                "{\"spec\":{\"token\":\"%s\"}}".formatted(old))
            .orThrow();
    return !review.at("/status/authenticated").asBoolean();
  }
}
