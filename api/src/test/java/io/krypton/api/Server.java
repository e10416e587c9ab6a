// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A real API server as these tests talk to it: one-line manifests in, answers out. */
record Server(ControlPlane plane) {
  static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/";
  private static final String GROUP_VERSION = KryptonApi.GROUP + "/" + KryptonApi.VERSION;
  private static final Map<String, String> PATHS =
      Map.of(
          "Tenant", "/apis/" + GROUP_VERSION + "/namespaces/default/tenants/",
          "KryptonDeployment", "/apis/" + GROUP_VERSION + "/namespaces/default/kryptondeployments/",
          "KmsHealth", "/apis/" + GROUP_VERSION + "/kmshealths/",
          "TenantClass", "/apis/" + GROUP_VERSION + "/namespaces/default/tenantclasses/",
          "ChartRollout", "/apis/" + GROUP_VERSION + "/namespaces/default/chartrollouts/",
          "RolloutApproval", "/apis/" + GROUP_VERSION + "/namespaces/default/rolloutapprovals/");
  private static final Pattern REPEATED = Pattern.compile("<(\\d+)>");

  static Server withCrds(ControlPlane plane) {
    var server = new Server(plane);
    Crds.all().forEach(server::install);
    return server;
  }

  /** Applies a CRD and waits until its objects can be written. */
  void install(CustomResourceDefinition crd) {
    var name = crd.getMetadata().getName();
    plane.admin().apply(CRDS + name, "api-test", Json.tree(crd).toString()).orThrow();
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(() -> assertThat(condition(name, "Established")).isEqualTo("True"));
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> plane.admin().get(collection(crd.getSpec().getNames().getKind())).ok());
  }

  String condition(String crd, String type) {
    for (var condition : plane.admin().get(CRDS + crd).orThrow().at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText();
      }
    }
    return "absent";
  }

  ApiResponse create(String kind, String manifest) {
    return plane.admin().post(collection(kind), object(kind, manifest).toString());
  }

  /** What creating would have given; nothing is stored. */
  ApiResponse tryCreate(String kind, String manifest) {
    return plane.admin().post(collection(kind) + "?dryRun=All", object(kind, manifest).toString());
  }

  JsonNode get(String kind, String name) {
    return plane.admin().get(path(kind, name)).orThrow();
  }

  ApiResponse mergePatch(String kind, String name, String patch) {
    return patch(path(kind, name), "application/merge-patch+json", yaml(patch).toString());
  }

  ApiResponse apply(String kind, String name, String manifest) {
    return plane.admin().apply(path(kind, name), "flux", object(kind, manifest).toString());
  }

  /** Server-side apply of the status alone. */
  ApiResponse applyStatus(String kind, String name, String manager, String status) {
    var object = object(kind, "{metadata: {name: %s}, status: %s}".formatted(name, status));
    var path = path(kind, name) + "/status";
    return plane.admin().apply(path, manager, object.toString());
  }

  /**
   * What writing the status would have given. No apply: a list entry without its keys is a 500 to
   * that, and tables want to see what the schema says.
   */
  ApiResponse tryStatus(String kind, String name, String status) {
    var patch = yaml("{status: %s}".formatted(status)).toString();
    return patch(path(kind, name) + "/status?dryRun=All", "application/merge-patch+json", patch);
  }

  private ApiResponse patch(String path, String contentType, String body) {
    var admin = plane.admin();
    return admin.send(
        admin
            .request(path)
            .header("Content-Type", contentType)
            .method("PATCH", BodyPublishers.ofString(body)));
  }

  String path(String kind, String name) {
    return requireNonNull(PATHS.get(kind)) + name;
  }

  private String collection(String kind) {
    var path = path(kind, "");
    return path.substring(0, path.length() - 1);
  }

  private static ObjectNode object(String kind, String manifest) {
    return ((ObjectNode) yaml(manifest)).put("apiVersion", GROUP_VERSION).put("kind", kind);
  }

  /** {@code <63>} stands for a word of 63 letters. */
  private static JsonNode yaml(String text) {
    var full =
        REPEATED.matcher(text).replaceAll(word -> "n".repeat(Integer.parseInt(word.group(1))));
    return Json.tree("---\n" + full);
  }

  /** A row of a table: accepted, or refused for a reason the user can read. */
  static void check(ApiResponse answer, @Nullable String refusal) {
    if (refusal == null) {
      assertThat(answer.ok()).as(answer.body().toString()).isTrue();
    } else {
      assertThat(answer.status()).as(answer.body().toString()).isEqualTo(422);
      assertThat(answer.body().path("message").asText()).contains(refusal);
    }
  }
}
