// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionNames;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.List;
import java.util.stream.Collectors;

/** Renders the reference page of the custom resources. */
final class CrdReference {
  private CrdReference() {}

  static String page(List<CustomResourceDefinition> crds) {
    return """
        # Custom resources

        <!-- Made from the records of krypton-api by CrdDriftTest. -->

        All are of the group `%s`, version `%s`. `kubectl explain <resource>.<field>` shows the same
        descriptions. The API server refuses what breaks a rule, and drops fields that are not listed.
        """
            .formatted(KryptonApi.GROUP, KryptonApi.VERSION)
        + crds.stream().map(CrdReference::section).collect(Collectors.joining());
  }

  private static String section(CustomResourceDefinition crd) {
    var version = crd.getSpec().getVersions().getFirst();
    var root = version.getSchema().getOpenAPIV3Schema();
    return """

    ## %s

    %s

    %s %s

    %s%s
    | Field | Type | Rules | Description |
    |---|---|---|---|
    %s"""
        .formatted(
            crd.getSpec().getNames().getKind(),
            root.getDescription(),
            scope(crd),
            names(crd.getSpec().getNames()),
            columns(version.getAdditionalPrinterColumns()),
            rules(root),
            fields(root));
  }

  private static String scope(CustomResourceDefinition crd) {
    return crd.getSpec().getScope().equals("Cluster") ? "Cluster-scoped." : "Namespaced.";
  }

  private static String names(CustomResourceDefinitionNames names) {
    var category =
        names.getCategories().isEmpty()
            ? ""
            : " Category: `" + String.join("`, `", names.getCategories()) + "`.";
    return "Resource: `%s`. Short name: `%s`.%s"
        .formatted(names.getPlural(), String.join("`, `", names.getShortNames()), category);
  }

  private static String columns(List<CustomResourceColumnDefinition> columns) {
    return "`kubectl get` shows %s; with `-o wide` also %s.\n"
        .formatted(columnNames(columns, 0), columnNames(columns, 1));
  }

  private static String columnNames(List<CustomResourceColumnDefinition> columns, int priority) {
    return columns.stream()
        .filter(column -> column.getPriority() == priority)
        .map(CustomResourceColumnDefinition::getName)
        .collect(Collectors.joining(", "));
  }

  private static String rules(JSONSchemaProps root) {
    return root.getXKubernetesValidations().stream()
        .map(
            rule ->
                "- \"%s\"%s unless `%s`\n"
                    .formatted(
                        rule.getMessage(),
                        Boolean.TRUE.equals(rule.getOptionalOldSelf()) ? ", new objects only," : "",
                        rule.getRule()))
        .collect(Collectors.joining("", "\nThe whole object is refused with the message\n\n", ""));
  }

  private static String fields(JSONSchemaProps root) {
    return SchemaField.of(root).stream()
        .map(
            field ->
                "| `%s` | %s | %s | %s |\n"
                    .formatted(
                        field.path(),
                        FieldRules.type(field.schema()),
                        String.join("; ", FieldRules.of(field)),
                        field.schema().getDescription().replace("<", "&lt;")))
        .collect(Collectors.joining());
  }
}
