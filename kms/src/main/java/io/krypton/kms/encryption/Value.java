package io.krypton.kms.encryption;

import java.util.List;

/**
 * What a JSON or YAML document says, before it gets a meaning. A text may be a key, so that it
 * never shows itself.
 */
sealed interface Value {
  /** The word kube-apiserver uses for this sort of value in its messages. */
  String sort();

  record Null() implements Value {
    @Override
    public String sort() {
      return "null";
    }
  }

  record Flag(boolean on) implements Value {
    @Override
    public String sort() {
      return "bool";
    }
  }

  /** A number in the spelling of JSON. */
  record Numeral(String literal) implements Value {
    @Override
    public String sort() {
      return "number";
    }
  }

  record Text(String content) implements Value {
    @Override
    public String sort() {
      return "string";
    }

    @Override
    public String toString() {
      return "Text[" + Shown.REDACTED + "]";
    }
  }

  record Items(List<Value> values) implements Value {
    public Items {
      values = List.copyOf(values);
    }

    @Override
    public String sort() {
      return "array";
    }
  }

  /** Fields in the order in which kube-apiserver visits them; JSON may repeat a name. */
  record Fields(List<Field> fields) implements Value {
    public Fields {
      fields = List.copyOf(fields);
    }

    @Override
    public String sort() {
      return "object";
    }
  }

  record Field(String name, Value value) {}
}
