// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of reading YAML as Helm does: documents of maps, lists and scalars, or a defect. */
public sealed interface Yaml {

  /** Each document is a Map, List, String, Number, Boolean or null; empty ones are left out. */
  record Documents(List<Object> all) implements Yaml {
    public Documents {
      all = Collections.unmodifiableList(all);
    }
  }

  /** Says where and what, never the content around it: it may be secret. */
  record Malformed(String message) implements Yaml {}

  /** What a key that appears twice in one map means. */
  enum RepeatedKey {
    REFUSED,
    LAST_WINS
  }

  static Yaml read(String text, RepeatedKey repeatedKey) {
    return YamlReader.read(text, repeatedKey);
  }

  /** The only document, null when there is none, or a defect when there are several. */
  static Yaml single(String text) {
    return switch (read(text, RepeatedKey.REFUSED)) {
      case Malformed malformed -> malformed;
      case Documents(List<Object> all) when all.size() > 1 ->
          new Malformed("it holds %d documents; keep one".formatted(all.size()));
      case Documents documents -> documents;
    };
  }

  /** The first document as it is, or null. */
  static @Nullable Object first(Documents documents) {
    return documents.all().isEmpty() ? null : documents.all().getFirst();
  }
}
