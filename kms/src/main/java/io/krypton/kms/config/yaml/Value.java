// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import java.util.List;

/**
 * What a JSON or YAML document says, before it gets a meaning. A text may be a key, so that it
 * never shows itself.
 */
public sealed interface Value {
  /** What kube-apiserver calls this sort of value in its messages. */
  String typeName();

  record Null() implements Value {
    @Override
    public String typeName() {
      return "null";
    }
  }

  record Bool(boolean on) implements Value {
    @Override
    public String typeName() {
      return "bool";
    }
  }

  /** A number in the spelling of JSON. */
  record Numeral(String literal) implements Value {
    @Override
    public String typeName() {
      return "number";
    }
  }

  record Text(String content) implements Value {
    @Override
    public String typeName() {
      return "string";
    }

    @Override
    public String toString() {
      return "Text[" + KeyRedactor.REDACTED + "]";
    }
  }

  record Array(List<Value> values) implements Value {
    public Array {
      values = List.copyOf(values);
    }

    @Override
    public String typeName() {
      return "array";
    }
  }

  /** Fields in the order in which kube-apiserver visits them; JSON may repeat a name. */
  record Fields(List<Field> fields) implements Value {
    public Fields {
      fields = List.copyOf(fields);
    }

    @Override
    public String typeName() {
      return "object";
    }
  }

  record Field(String name, Value value) {}
}
