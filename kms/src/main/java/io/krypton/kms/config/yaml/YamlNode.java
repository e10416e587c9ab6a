// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import java.util.List;

/** The shape of a YAML document, before scalars have a type. Lines count from one. */
sealed interface YamlNode {
  int line();

  /** A scalar; an empty tag means none was given, plain that its type follows from its looks. */
  record Scalar(int line, String tag, boolean plain, String content) implements YamlNode {
    @Override
    public String toString() {
      return "Scalar[line=" + line + "]";
    }
  }

  record Sequence(int line, List<YamlNode> items) implements YamlNode {
    public Sequence {
      items = List.copyOf(items);
    }
  }

  record Mapping(int line, List<Pair> pairs) implements YamlNode {
    public Mapping {
      pairs = List.copyOf(pairs);
    }
  }

  record Alias(int line, YamlNode target) implements YamlNode {}

  record Pair(YamlNode key, YamlNode value) {}
}
