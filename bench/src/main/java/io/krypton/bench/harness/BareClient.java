// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.sandbox.ControlPlane;
import java.util.List;

/**
 * The floor: what a release leaves behind in the API, written by a client that neither renders nor
 * validates nor starts a process. Its Secret has the size of a real one and is written twice, as
 * Helm does, before and after the objects.
 */
public final class BareClient {
  private static final List<Written> OBJECTS =
      List.of(
          new Written(
              "/api/v1/namespaces/%s/configmaps",
              "{\"metadata\":{\"name\":\"bench\"},\"data\":{\"message\":\"hello\"}}"),
          new Written(
              "/api/v1/namespaces/%s/serviceaccounts", "{\"metadata\":{\"name\":\"bench\"}}"),
          new Written(
              "/api/v1/namespaces/%s/services",
              """
              {"metadata":{"name":"bench"},"spec":{"selector":{"app":"bench"},"ports":[{"port":80}]}}
              """),
          new Written(
              "/apis/apps/v1/namespaces/%s/deployments",
              """
              {"metadata":{"name":"bench"},"spec":{"replicas":0,"selector":{"matchLabels":{"app":"bench"}},
               "template":{"metadata":{"labels":{"app":"bench"}},
                "spec":{"containers":[{"name":"bench","image":"example.com/bench:1"}]}}}}
              """));

  private final ControlPlane plane;
  private final JsonNode payload;

  private record Written(String path, String json) {}

  /** A real release to take the payload from must be there. */
  public BareClient(ControlPlane plane, String exampleNamespace) {
    this.plane = plane;
    this.payload =
        plane
            .admin()
            .get(
                "/api/v1/namespaces/%s/secrets?labelSelector=owner=helm"
                    .formatted(exampleNamespace))
            .orThrow()
            .at("/items/0");
  }

  public void write(String name) {
    var api = plane.admin();
    Namespaces.create(plane, name);
    var secrets = "/api/v1/namespaces/%s/secrets".formatted(name);
    var secret = secret(name);
    api.post(secrets, secret.toString()).orThrow();
    OBJECTS.forEach(it -> api.post(it.path().formatted(name), it.json()).orThrow());
    ((ObjectNode) secret.at("/metadata/labels")).put("status", "deployed");
    api.put(secrets + "/" + secret.at("/metadata/name").asText(), secret.toString()).orThrow();
  }

  private ObjectNode secret(String name) {
    ObjectNode secret = payload.deepCopy();
    var release = PlainHelm.release(name);
    secret
        .putObject("metadata")
        .put("name", "sh.helm.release.v1." + release + ".v1")
        .putObject("labels")
        .put("owner", "helm")
        .put("name", release)
        .put("version", "1")
        .put("status", "pending-install");
    return secret;
  }

  /** Namespaces that are made without an operator. */
  public static final class Namespaces {
    private Namespaces() {}

    public static void create(ControlPlane plane, String name) {
      plane
          .admin()
          .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(name))
          .orThrow();
    }
  }
}
