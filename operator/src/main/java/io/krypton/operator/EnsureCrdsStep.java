// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.krypton.api.KryptonApi;
import io.krypton.api.event.EventReason;
import io.krypton.multicluster.cluster.EngageStep;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.crd.CrdInstaller;
import io.krypton.multicluster.crd.CrdInstaller.Compatibility;
import io.krypton.multicluster.crd.CrdInstaller.CrdResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes sure, before anything is watched, that a cluster serves what will be watched. */
final class EnsureCrdsStep implements EngageStep {
  private final CrdInstaller ensurer;
  private final List<CustomResourceDefinition> wanted;

  EnsureCrdsStep(CrdInstaller ensurer, List<CustomResourceDefinition> wanted) {
    this.ensurer = ensurer;
    this.wanted = List.copyOf(wanted);
  }

  @Override
  public Result run(EngagedCluster engagedCluster) {
    Result result = new Result.Done();
    for (var outcome : ensurer.ensure(engagedCluster.client(), wanted)) {
      switch (outcome) {
        case CrdResult.Created created -> {}
        case CrdResult.Upgraded upgraded -> {}
        case CrdResult.UpToDate upToDate -> {}
        case CrdResult.Outdated(var crd, var what) ->
            result = new Result.DoneWithNotice(EventReason.CRD_OUTDATED.value(), crd + ": " + what);
        case CrdResult.Incompatible(var crd, var why) -> {
          return new Result.NotYet(EventReason.CRD_INCOMPATIBLE.value(), crd + ": " + why);
        }
        case CrdResult.Failed(var crd, var why) -> {
          return new Result.NotYet(EventReason.CRD_ENSURE_FAILED.value(), crd + ": " + why);
        }
      }
    }
    return result;
  }

  @Override
  public Duration timeLimit() {
    return Duration.ofSeconds(45);
  }

  /**
   * A step for Tenants, who live on labelled clusters. A cluster that is engaged only because a
   * KryptonDeployment names its Secret gets no definitions and no watch of theirs.
   */
  record LabelledClustersOnly(EngageStep step, Predicate<SecretRef> carriesLabel)
      implements EngageStep {
    @Override
    public Result run(EngagedCluster engagedCluster) throws Exception {
      return carriesLabel.test(engagedCluster.secret())
          ? step.run(engagedCluster)
          : new Result.Done();
    }

    @Override
    public Duration timeLimit() {
      return step.timeLimit();
    }
  }

  /** Whether Tenants can be rolled out with a definition that somebody else installed. */
  static final class TenantCrdCompatibility {
    private static final String SAMPLE_TYPE = "ClusterReady/x";

    private TenantCrdCompatibility() {}

    static Compatibility check(CustomResourceDefinition served, CustomResourceDefinition ours) {
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

    private static Optional<CustomResourceDefinitionVersion> versionOf(
        CustomResourceDefinition crd) {
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
}
