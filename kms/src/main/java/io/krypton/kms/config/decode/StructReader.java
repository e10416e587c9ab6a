// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.decode;

import io.krypton.kms.config.yaml.GoText;
import io.krypton.kms.config.yaml.InvalidConfigurationException;
import io.krypton.kms.config.yaml.KeyRedactor;
import io.krypton.kms.config.yaml.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks a value along the types that kube-apiserver decodes it into, and reports what does not fit
 * as it does: the first wrong type decides; without one, all unknown and repeated fields are
 * reported.
 */
final class StructReader {
  private static final int MAX_STRICT_ERRORS = 100;

  private final Set<String> strictErrors = new LinkedHashSet<>();
  private final StringBuilder path = new StringBuilder();
  private final List<String> fieldNames = new ArrayList<>();
  private String struct = "";
  private @Nullable String wrongType;

  /** Reads the value of one field. */
  interface FieldReader {
    void read(Value value) throws InvalidConfigurationException;
  }

  /** Throws what was found; repeated keys of YAML come first. */
  void finish(List<String> duplicateKeys) throws InvalidConfigurationException {
    if (wrongType != null) {
      throw new InvalidConfigurationException(wrongType);
    }
    var errors = new ArrayList<String>();
    if (!duplicateKeys.isEmpty()) {
      errors.add("yaml: unmarshal errors:\n  " + String.join("\n  ", duplicateKeys));
    }
    errors.addAll(strictErrors);
    if (!errors.isEmpty()) {
      throw new InvalidConfigurationException(
          "strict decoding error: " + String.join(", ", errors));
    }
  }

  /** Reads a struct; null leaves it as it is. */
  void struct(String name, Value value, Map<String, FieldReader> readers)
      throws InvalidConfigurationException {
    if (!(value instanceof Value.Fields object)) {
      expect(value, "v1." + name);
      return;
    }
    var seen = new HashSet<String>();
    for (var field : object.fields()) {
      var reader = readers.get(field.name());
      if (reader == null) {
        strictError("unknown", field.name());
        continue;
      }
      if (!seen.add(field.name())) {
        strictError("duplicate", field.name());
      }
      within(name, field.name(), () -> reader.read(field.value()));
    }
  }

  private interface Step {
    void run() throws InvalidConfigurationException;
  }

  private void within(String structName, String fieldName, Step step)
      throws InvalidConfigurationException {
    int length = path.length();
    var outer = struct;
    struct = structName;
    fieldNames.add(fieldName);
    path.append(length == 0 ? "" : ".").append(fieldName);
    step.run();
    path.setLength(length);
    fieldNames.removeLast();
    struct = outer;
  }

  /** Reads each element of a list; null is an empty one. */
  void list(String type, Value value, FieldReader element) throws InvalidConfigurationException {
    if (!(value instanceof Value.Array array)) {
      expect(value, "[]" + type);
      return;
    }
    for (int i = 0; i < array.values().size(); i++) {
      int length = path.length();
      path.append('[').append(i).append(']');
      element.read(array.values().get(i));
      path.setLength(length);
    }
  }

  /** Reads a string; null changes nothing. */
  void text(Value value, Consumer<String> target) {
    if (value instanceof Value.Text text) {
      target.accept(text.content());
    } else {
      expect(value, "string");
    }
  }

  /** Reads a whole number of 32 bits. */
  void number(Value value, Consumer<Integer> target) {
    if (!(value instanceof Value.Numeral number)) {
      expect(value, "int32");
      return;
    }
    try {
      target.accept(Integer.parseInt(number.literal()));
    } catch (NumberFormatException e) {
      wrongType("number " + KeyRedactor.redact(number.literal()), "int32");
    }
  }

  private void expect(Value value, String type) {
    if (!(value instanceof Value.Null)) {
      wrongType(value.typeName(), type);
    }
  }

  private void wrongType(String found, String type) {
    if (wrongType == null) {
      wrongType = typeError(found, type);
    }
  }

  /** The message for a value of the wrong type at the current place. */
  String typeError(String found, String type) {
    return "json: cannot unmarshal %s into Go struct field %s.%s of type %s"
        .formatted(found, struct, String.join(".", fieldNames), type);
  }

  private void strictError(String what, String name) {
    if (strictErrors.size() < MAX_STRICT_ERRORS) {
      var shown = KeyRedactor.redact(name);
      var full = path.isEmpty() ? shown : path + "." + shown;
      strictErrors.add(what + " field " + GoText.quote(full));
    }
  }
}
