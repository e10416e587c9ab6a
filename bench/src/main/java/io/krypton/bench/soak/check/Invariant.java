// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.check;

import java.util.List;

/**
 * Something that must hold after a soak.
 *
 * @param meaning for a reader of the result page
 * @param violations what breaks it, a sentence each
 */
public record Invariant(String name, String meaning, List<String> violations) {
  public Invariant {
    violations = List.copyOf(violations);
  }

  public boolean holds() {
    return violations.isEmpty();
  }
}
