// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.home;

import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;

/** Real tokens of service accounts; the controller manager makes the account {@code default}. */
final class ServiceAccounts {
  private ServiceAccounts() {}

  static String token(TestNamespace namespace, String account) {
    var api = namespace.controlPlane().admin();
    var path = namespace.path() + "/serviceaccounts/" + account;
    await().atMost(Duration.ofSeconds(20)).until(() -> api.get(path).status() == 200);
    return api.post(path + "/token", "{\"spec\":{\"expirationSeconds\":3600}}")
        .orThrow()
        .at("/status/token")
        .textValue();
  }

  /** Makes a Pod, which nothing runs, and a token that dies with it. */
  static String tokenOfPod(TestNamespace namespace, String account, String pod) {
    var api = namespace.controlPlane().admin();
    var path = namespace.path() + "/serviceaccounts/" + account;
    await().atMost(Duration.ofSeconds(20)).until(() -> api.get(path).status() == 200);
    var uid =
        api.post(
                namespace.path() + "/pods",
                """
                {"metadata":{"name":"%s"},
                 "spec":{"serviceAccountName":"%s","containers":[{"name":"c","image":"none"}]}}
                """
                    .formatted(pod, account))
            .orThrow()
            .at("/metadata/uid")
            .textValue();
    return api.post(
            path + "/token",
            """
            {"spec":{"expirationSeconds":3600,
             "boundObjectRef":{"apiVersion":"v1","kind":"Pod","name":"%s","uid":"%s"}}}
            """
                .formatted(pod, uid))
        .orThrow()
        .at("/status/token")
        .textValue();
  }

  static void deletePod(TestNamespace namespace, String pod) {
    namespace.controlPlane().admin().delete(namespace.path() + "/pods/" + pod).orThrow();
  }

  /** Lets the account do everything, as a test of credentials needs. */
  static void makeAdmin(TestNamespace namespace, String account) {
    namespace
        .controlPlane()
        .admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
            """
            {"metadata":{"name":"%1$s"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"cluster-admin"},
             "subjects":[{"kind":"ServiceAccount","name":"%2$s","namespace":"%1$s"}]}
            """
                .formatted(namespace.name(), account))
        .orThrow();
  }
}
