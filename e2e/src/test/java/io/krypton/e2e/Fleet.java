// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static java.util.Comparator.comparingInt;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** What a platform team would type against the API servers of a fleet. */
final class Fleet {
  static final Duration PATIENCE = Duration.ofMinutes(4);

  /** A lock for those whose operator looks at the namespace default of an edge: one at a time. */
  static final String DEFAULT_NAMESPACE = "the namespace default";

  private static final String LABEL = "sigs.k8s.io/multicluster-runtime-kubeconfig";
  private static final String TENANTS = "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/tenants";

  private Fleet() {}

  /** A namespace of its own on home, so that operators of several tests do not meet. */
  static void namespace(ControlPlane home, String namespace) {
    home.admin()
        .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(namespace))
        .orThrow();
  }

  /** A namespace that Tenants may use although it was there before them. */
  static void workspace(ControlPlane cluster, String namespace) {
    cluster
        .admin()
        .post(
            "/api/v1/namespaces",
            """
            {"metadata":{"name":"%s","labels":{"mesh.openkcm.io/workspace":"allowed"}}}
            """
                .formatted(namespace))
        .orThrow();
  }

  static void register(ControlPlane home, String namespace, String cluster, String kubeconfig) {
    var data = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
    home.admin()
        .post(
            "/api/v1/namespaces/%s/secrets".formatted(namespace),
            """
            {"metadata":{"name":"%s","labels":{"%s":"true"}},"data":{"kubeconfig":"%s"}}
            """
                .formatted(cluster, LABEL, data))
        .orThrow();
  }

  /** Only {@code true} engages the cluster of a Secret; null takes the label off. */
  static void label(ControlPlane home, String namespace, String cluster, @Nullable String value) {
    send(
        home.admin(),
        "PATCH",
        "/api/v1/namespaces/%s/secrets/%s".formatted(namespace, cluster),
        "application/merge-patch+json",
        "{\"metadata\":{\"labels\":{\"%s\":%s}}}"
            .formatted(LABEL, value == null ? "null" : '"' + value + '"'));
  }

  /** A kubeconfig with a token in place of a certificate. */
  static String kubeconfig(ControlPlane cluster, String token) {
    var authority =
        Base64.getEncoder().encodeToString(cluster.caPem().getBytes(StandardCharsets.UTF_8));
    return """
    clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
    users: [{name: u, user: {token: "%s"}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    """
        .formatted(cluster.url(), authority, token);
  }

  /** A token of the namespace's default service account. */
  static String token(ControlPlane cluster, String namespace, Duration lifetime) {
    return cluster
        .admin()
        .post(
            "/api/v1/namespaces/%s/serviceaccounts/default/token".formatted(namespace),
            """
            {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest",
             "spec":{"expirationSeconds":%d}}
            """
                .formatted(lifetime.toSeconds()))
        .orThrow()
        .at("/status/token")
        .asText();
  }

  /** {@code reason: message} of each event on the Secret of a cluster. */
  static List<String> clusterEvents(ControlPlane home, String namespace, String secret) {
    return home.admin()
        .get(
            "/api/v1/namespaces/%s/events?fieldSelector=involvedObject.name=%s"
                .formatted(namespace, secret))
        .body()
        .path("items")
        .valueStream()
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .toList();
  }

  static void tenant(ControlPlane cluster, String name, String spec) {
    cluster
        .admin()
        .post(
            TENANTS,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"Tenant","metadata":{"name":"%s"},"spec":%s}
            """
                .formatted(name, spec))
        .orThrow();
  }

  static JsonNode tenant(ControlPlane cluster, String name) {
    return cluster.admin().get(TENANTS + "/" + name).body();
  }

  static int tenantStatus(ControlPlane cluster, String name) {
    return cluster.admin().get(TENANTS + "/" + name).status();
  }

  static String phase(ControlPlane cluster, String name) {
    return tenant(cluster, name).path("status").path("phase").asText();
  }

  /** {@code True/Installed}, or empty if there is no such condition. */
  static String condition(ControlPlane cluster, String name, String type) {
    for (var condition : tenant(cluster, name).path("status").path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText() + "/" + condition.path("reason").asText();
      }
    }
    return "";
  }

  static void patch(ControlPlane cluster, String name, String merge) {
    send(cluster.admin(), "PATCH", TENANTS + "/" + name, "application/merge-patch+json", merge);
  }

  static void delete(ControlPlane cluster, String name) {
    cluster.admin().delete(TENANTS + "/" + name);
  }

  /** Reasons of the events on a Tenant, one for each event. */
  static List<String> events(ControlPlane cluster, String tenant) {
    var list =
        cluster
            .admin()
            .get(
                "/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=%s"
                    .formatted(tenant))
            .body();
    return list.path("items").valueStream().map(event -> event.path("reason").asText()).toList();
  }

  /** Says of a Job that nobody runs that it is complete; a Job that is missing is left to come. */
  static void completeJob(ControlPlane cluster, String namespace, String job) {
    var path = "/apis/batch/v1/namespaces/%s/jobs/%s".formatted(namespace, job);
    var found = cluster.admin().get(path);
    // The API server refuses to complete a Job twice.
    if (found.status() == 404 || found.body().path("status").has("completionTime")) {
      return;
    }
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var condition =
        """
        {"type":"%%s","status":"True","reason":"CompletionsReached",
         "lastProbeTime":"%s","lastTransitionTime":"%s"}
        """
            .formatted(now, now);
    send(
        cluster.admin(),
        "PATCH",
        path + "/status",
        "application/merge-patch+json",
        """
        {"status":{"active":0,"ready":0,"succeeded":1,"completionTime":"%s","conditions":[%s,%s]}}
        """
            .formatted(
                now, condition.formatted("SuccessCriteriaMet"), condition.formatted("Complete")));
  }

  /** The statuses of all revisions of a release, oldest first. */
  static List<String> revisions(ControlPlane cluster, String namespace, String release) {
    return history(cluster, namespace, release).map(Fleet::status).toList();
  }

  /** When the revisions with this status were made, oldest first. */
  static List<Instant> revisionTimes(
      ControlPlane cluster, String namespace, String release, String status) {
    return history(cluster, namespace, release)
        .filter(secret -> status(secret).equals(status))
        .map(secret -> Instant.parse(secret.at("/metadata/creationTimestamp").asText()))
        .toList();
  }

  private static Stream<JsonNode> history(ControlPlane cluster, String namespace, String release) {
    return cluster
        .admin()
        .get(
            "/api/v1/namespaces/%s/secrets?labelSelector=owner=helm,name=%s"
                .formatted(namespace, release))
        .body()
        .path("items")
        .valueStream()
        .sorted(comparingInt(Fleet::version));
  }

  private static String status(JsonNode secret) {
    return secret.path("metadata").path("labels").path("status").asText();
  }

  private static int version(JsonNode secret) {
    return secret.path("metadata").path("labels").path("version").asInt();
  }

  static void eventually(String what, ThrowingRunnable assertion) {
    await(what).ignoreExceptions().atMost(PATIENCE).untilAsserted(assertion);
  }

  private static void send(
      KubeApi api, String method, String path, String contentType, String body) {
    var request =
        api.request(path)
            .header("Content-Type", contentType)
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    api.send(request).orThrow();
  }
}
