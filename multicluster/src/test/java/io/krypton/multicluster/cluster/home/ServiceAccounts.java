package io.krypton.multicluster.cluster.home;

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
