// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One field of a CRD with its path as {@code kubectl explain} takes it. */
record SchemaField(String path, boolean required, JSONSchemaProps schema) {

  /** All fields below the root, each before those inside it. */
  static List<SchemaField> of(JSONSchemaProps root) {
    return within("", root).toList();
  }

  private static Stream<SchemaField> within(String prefix, JSONSchemaProps object) {
    return properties(object).entrySet().stream()
        .map(
            property ->
                new SchemaField(
                    prefix + property.getKey(),
                    object.getRequired().contains(property.getKey()),
                    property.getValue()))
        .flatMap(field -> Stream.concat(Stream.of(field), field.inside()));
  }

  private Stream<SchemaField> inside() {
    return schema.getItems() == null
        ? within(path + ".", schema)
        : within(path + "[].", schema.getItems().getSchema());
  }

  private static Map<String, JSONSchemaProps> properties(JSONSchemaProps object) {
    return object.getProperties() == null ? Map.of() : object.getProperties();
  }
}
