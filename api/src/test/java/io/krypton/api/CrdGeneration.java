// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.crdv2.generator.CRDPostProcessor;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.CustomResource;
import io.krypton.api.KryptonApi.SpecRequired;
import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kryptondeployment.KryptonDeployment;
import io.krypton.api.rolloutapproval.RolloutApproval;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenantclass.TenantClass;
import java.io.OutputStream;
import java.lang.reflect.ParameterizedType;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Makes the CRDs from the records: the fabric8 generator, then what it cannot express. */
final class CrdGeneration {
  static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(
          Tenant.class,
          KryptonDeployment.class,
          KmsHealth.class,
          TenantClass.class,
          ChartRollout.class,
          RolloutApproval.class);

  private CrdGeneration() {}

  static CustomResourceDefinition crdOf(Class<? extends CustomResource<?, ?>> kind) {
    var crd = generate(kind);
    var version = crd.getSpec().getVersions().getFirst();
    restoreColumnOrder(kind, version);
    finishRoot(kind, version);
    return crd;
  }

  private static CustomResourceDefinition generate(Class<? extends CustomResource<?, ?>> kind) {
    var generated = new ArrayList<CustomResourceDefinition>();
    var collect =
        new CRDPostProcessor() {
          @Override
          public HasMetadata process(HasMetadata crd, String version) {
            generated.add((CustomResourceDefinition) crd);
            return crd;
          }
        };
    new CRDGenerator()
        .withOutput(new NoFiles())
        .withPostProcessor(collect)
        .customResourceClasses(List.of(kind))
        .generate();
    return generated.getFirst();
  }

  /** The generator sorts columns by path, kubectl shows them in the order of the CRD. */
  private static void restoreColumnOrder(Class<?> kind, CustomResourceDefinitionVersion version) {
    var declared =
        Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
            .map(AdditionalPrinterColumn::name)
            .toList();
    version
        .getAdditionalPrinterColumns()
        .sort(Comparator.comparingInt(column -> declared.indexOf(column.getName())));
  }

  private static void finishRoot(Class<?> kind, CustomResourceDefinitionVersion version) {
    var root = version.getSchema().getOpenAPIV3Schema();
    root.setDescription(descriptionOf(kind));
    if (kind.isAnnotationPresent(SpecRequired.class)) {
      root.setRequired(List.of("spec"));
    }
    var parts = ((ParameterizedType) kind.getGenericSuperclass()).getActualTypeArguments();
    for (var part : List.of("spec", "status")) {
      var record = (Class<?>) parts[part.equals("spec") ? 0 : 1];
      var schema = RecordSchema.property(root, part);
      schema.setDescription(descriptionOf(record));
      RecordSchema.finish(record, schema);
    }
  }

  private static String descriptionOf(Class<?> type) {
    var description = type.getAnnotation(JsonClassDescription.class);
    return Objects.requireNonNull(description, type + " lacks a @JsonClassDescription").value();
  }

  private static final class NoFiles implements CRDGenerator.CRDOutput<OutputStream> {
    @Override
    public OutputStream outputFor(String crdName) {
      return OutputStream.nullOutputStream();
    }

    @Override
    public URI crdURI(String crdName) {
      return Path.of(crdName).toUri();
    }

    @Override
    public void close() {}
  }
}
