package io.krypton.kms.encryption;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks a value along the types that kube-apiserver decodes it into, and words what does not fit as
 * it does: the first wrong type decides; without one, all unknown and repeated fields are told.
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
    void read(Value value) throws Rejected;
  }

  /** Throws what was found; repeated keys of YAML come first. */
  void finish(List<String> duplicateKeys) throws Rejected {
    if (wrongType != null) {
      throw new Rejected(wrongType);
    }
    var errors = new ArrayList<String>();
    if (!duplicateKeys.isEmpty()) {
      errors.add("yaml: unmarshal errors:\n  " + String.join("\n  ", duplicateKeys));
    }
    errors.addAll(strictErrors);
    if (!errors.isEmpty()) {
      throw new Rejected("strict decoding error: " + String.join(", ", errors));
    }
  }

  /** Reads a struct; null leaves it as it is. */
  void struct(String name, Value value, Map<String, FieldReader> readers) throws Rejected {
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
    void run() throws Rejected;
  }

  private void within(String structName, String fieldName, Step step) throws Rejected {
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
  void list(String type, Value value, FieldReader element) throws Rejected {
    if (!(value instanceof Value.Items items)) {
      expect(value, "[]" + type);
      return;
    }
    for (int i = 0; i < items.values().size(); i++) {
      int length = path.length();
      path.append('[').append(i).append(']');
      element.read(items.values().get(i));
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
      wrongType("number " + Shown.text(number.literal()), "int32");
    }
  }

  private void expect(Value value, String type) {
    if (!(value instanceof Value.Null)) {
      wrongType(value.sort(), type);
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
      var shown = Shown.text(name);
      var full = path.isEmpty() ? shown : path + "." + shown;
      strictErrors.add(what + " field " + GoText.quote(full));
    }
  }
}
