// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Applies manifests of this repository as they are. */
public final class Manifests {
  public static final Path EXAMPLES = Path.of("../examples/kms-reporter");
  public static final Path CRDS = Path.of("../charts/krypton-operator/files/crds");
  public static final Path CONFINEMENT =
      Path.of("../charts/krypton-operator/files/reporter/admission-policy.yaml");

  private static final YAMLMapper YAML = new YAMLMapper(new YAMLFactory());
  private static final Map<String, String> PLURALS =
      Map.of(
          "Namespace", "namespaces",
          "ServiceAccount", "serviceaccounts",
          "ClusterRole", "clusterroles",
          "ClusterRoleBinding", "clusterrolebindings",
          "Role", "roles",
          "RoleBinding", "rolebindings",
          "CustomResourceDefinition", "customresourcedefinitions",
          "ValidatingAdmissionPolicy", "validatingadmissionpolicies",
          "ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings");

  private Manifests() {}

  /** All documents of a file. */
  public static List<JsonNode> read(Path file) {
    try (var parser = YAML.getFactory().createParser(Files.readString(file))) {
      return YAML.readValues(parser, JsonNode.class).readAll();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void apply(ControlPlane plane, Path file) {
    for (var manifest : read(file)) {
      plane.admin().apply(pathOf(manifest), "lab", manifest.toString()).orThrow();
    }
  }

  private static String pathOf(JsonNode manifest) {
    var version = manifest.path("apiVersion").asText();
    var namespace = manifest.at("/metadata/namespace").asText("");
    return (version.equals("v1") ? "/api/v1" : "/apis/" + version)
        + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
        + "/"
        + PLURALS.get(manifest.path("kind").asText())
        + "/"
        + manifest.at("/metadata/name").asText();
  }
}
