package io.krypton.cli.operator;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.krypton.api.KryptonApi;
import io.krypton.multicluster.cluster.crd.Compatibility;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether Tenants can be rolled out with a definition that somebody else installed. */
final class TenantCrdCheck {
  private static final String SAMPLE_TYPE = "ClusterReady/x";

  private TenantCrdCheck() {}

  static Compatibility judge(CustomResourceDefinition served, CustomResourceDefinition ours) {
    var version = versionOf(served);
    if (version.isEmpty()) {
      return new Compatibility.Incompatible("it does not serve " + KryptonApi.VERSION);
    }
    var subresources = version.get().getSubresources();
    if (subresources == null || subresources.getStatus() == null) {
      return new Compatibility.Incompatible("it has no status subresource");
    }
    if (refusesSlashes(version.get())) {
      return new Compatibility.Incompatible("it refuses condition types such as " + SAMPLE_TYPE);
    }
    return missingFields(version.get(), versionOf(ours).orElseThrow());
  }

  private static Compatibility missingFields(
      CustomResourceDefinitionVersion served, CustomResourceDefinitionVersion ours) {
    var missing = new TreeSet<String>();
    for (var part : new String[] {"spec", "status"}) {
      var known = properties(field(schema(served), part)).keySet();
      properties(field(schema(ours), part)).keySet().stream()
          .filter(name -> !known.contains(name))
          .forEach(name -> missing.add(part + "." + name));
    }
    return missing.isEmpty()
        ? new Compatibility.Compatible()
        : new Compatibility.Outdated("it lacks " + String.join(", ", missing));
  }

  private static boolean refusesSlashes(CustomResourceDefinitionVersion version) {
    var conditions = field(field(schema(version), "status"), "conditions");
    var items =
        conditions == null || conditions.getItems() == null
            ? null
            : conditions.getItems().getSchema();
    var type = field(items, "type");
    return type != null
        && type.getPattern() != null
        && !Pattern.compile(type.getPattern()).matcher(SAMPLE_TYPE).find();
  }

  private static Optional<CustomResourceDefinitionVersion> versionOf(CustomResourceDefinition crd) {
    return crd.getSpec().getVersions().stream()
        .filter(version -> KryptonApi.VERSION.equals(version.getName()))
        .findFirst();
  }

  private static @Nullable JSONSchemaProps schema(CustomResourceDefinitionVersion version) {
    return version.getSchema() == null ? null : version.getSchema().getOpenAPIV3Schema();
  }

  private static @Nullable JSONSchemaProps field(@Nullable JSONSchemaProps schema, String name) {
    return properties(schema).get(name);
  }

  private static Map<String, JSONSchemaProps> properties(@Nullable JSONSchemaProps schema) {
    return schema == null || schema.getProperties() == null ? Map.of() : schema.getProperties();
  }
}
