// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.krypton.api.condition.Condition.StandardConditions;
import io.krypton.api.schema.ListMap;
import io.krypton.api.schema.ListSet;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Objects;

/** Adds to the schema of a record what its components say and the fabric8 generator leaves out. */
final class RecordSchema {
  private static final String QUALIFIED_NAME =
      "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
          + "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

  private RecordSchema() {}

  static void finish(Class<?> type, JSONSchemaProps schema) {
    for (var component : type.getRecordComponents()) {
      var property = property(schema, component.getName());
      finishRules(property);
      finishValue(component.getType(), property);
      if (component.getType() == IntOrString.class) {
        finishIntOrString(component, property);
      }
      if (component.getType() == List.class) {
        finishList(component, property);
      }
    }
  }

  static JSONSchemaProps property(JSONSchemaProps schema, String name) {
    return Objects.requireNonNull(schema.getProperties().get(name), "no property " + name);
  }

  /** A record's rule is found twice, on the field and on the accessor. */
  private static void finishRules(JSONSchemaProps property) {
    property.setXKubernetesValidations(
        property.getXKubernetesValidations().stream().distinct().toList());
  }

  private static void finishValue(Class<?> type, JSONSchemaProps property) {
    if (type.isRecord() && "object".equals(property.getType())) {
      finish(type, property);
    } else if (type == Integer.class) {
      property.setFormat("int32");
    } else if (type == Long.class) {
      property.setFormat("int64");
    } else if (Boolean.TRUE.equals(property.getXKubernetesPreserveUnknownFields())) {
      // The generator takes Object for a JSON object and would refuse scalars.
      property.setAdditionalProperties(null);
    }
  }

  /** The generator reads no limits of what may be a number or a text. */
  private static void finishIntOrString(RecordComponent component, JSONSchemaProps property) {
    property.setMinimum(component.getAccessor().getAnnotation(Min.class).value());
    property.setPattern(component.getAccessor().getAnnotation(Pattern.class).value());
  }

  private static void finishList(RecordComponent component, JSONSchemaProps property) {
    var items = property.getItems().getSchema();
    var itemType = ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    if (itemType instanceof Class<?> record && record.isRecord()) {
      finish(record, items);
    }
    var map = component.getAnnotation(ListMap.class);
    if (map != null) {
      property.setXKubernetesListType("map");
      property.setXKubernetesListMapKeys(List.of(map.keys()));
    } else {
      property.setXKubernetesListType(
          component.isAnnotationPresent(ListSet.class) ? "set" : "atomic");
    }
    if (component.isAnnotationPresent(StandardConditions.class)) {
      asStandardCondition(items);
    }
  }

  private static void asStandardCondition(JSONSchemaProps condition) {
    condition.setRequired(List.of("lastTransitionTime", "status", "type"));
    property(condition, "type").setPattern(QUALIFIED_NAME);
    property(condition, "reason").setMinLength(null);
  }
}
