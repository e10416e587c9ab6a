// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the schema demands of one field, in words. */
final class FieldRules {
  private FieldRules() {}

  static String type(JSONSchemaProps schema) {
    if (schema.getItems() != null) {
      return "list of " + type(schema.getItems().getSchema());
    }
    if (Boolean.TRUE.equals(schema.getXKubernetesIntOrString())) {
      return "number or string";
    }
    if (schema.getAdditionalProperties() != null) {
      return "map to " + type(schema.getAdditionalProperties().getSchema());
    }
    var any = Boolean.TRUE.equals(schema.getXKubernetesPreserveUnknownFields());
    return schema.getFormat() != null ? schema.getFormat() : any ? "any object" : schema.getType();
  }

  static List<String> of(SchemaField field) {
    var rules = new ArrayList<String>();
    if (field.required()) {
      rules.add("required");
    }
    if (field.schema().getDefault() != null) {
      rules.add("default `%s`".formatted(field.schema().getDefault().asText()));
    }
    addValueRules(rules, "", field.schema());
    if (field.schema().getItems() != null) {
      addListRules(rules, field.schema());
      addValueRules(rules, "each ", field.schema().getItems().getSchema());
    }
    field.schema().getXKubernetesValidations().stream()
        .map(rule -> "`%s`, else \"%s\"".formatted(cell(rule.getRule()), rule.getMessage()))
        .forEach(rules::add);
    return rules;
  }

  private static void addValueRules(List<String> rules, String each, JSONSchemaProps schema) {
    if (schema.getEnum() != null && !schema.getEnum().isEmpty()) {
      rules.add(
          schema.getEnum().stream()
              .map(value -> "`" + value.asText() + "`")
              .collect(Collectors.joining(", ", each + "one of ", "")));
    }
    if (schema.getMaxLength() != null) {
      rules.add(each + range(schema.getMinLength(), schema.getMaxLength()) + " characters");
    }
    if (schema.getMinimum() != null) {
      rules.add(each + "at least " + schema.getMinimum().intValue());
    }
    if (schema.getPattern() != null) {
      rules.add("%spattern `%s`".formatted(each, cell(schema.getPattern())));
    }
  }

  /** A bar would end the cell of the table. */
  private static String cell(String text) {
    return text.replace("|", "\\|");
  }

  private static String range(@Nullable Long min, Long max) {
    return min == null ? "at most " + max : min + " to " + max;
  }

  private static void addListRules(List<String> rules, JSONSchemaProps list) {
    if (list.getMaxItems() != null) {
      rules.add("at most %d entries".formatted(list.getMaxItems()));
    }
    switch (list.getXKubernetesListType()) {
      case "map" ->
          rules.add(
              "one entry per `%s`"
                  .formatted(String.join("`, `", list.getXKubernetesListMapKeys())));
      case "set" -> rules.add("no entry twice");
      default -> {}
    }
  }
}
