// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.krypton.api.kmshealth.NodeHealth.Source;
import java.util.Map;
import java.util.Set;

/** Which nodes must report. */
public sealed interface NodeExpectation {
  /**
   * Somebody says so.
   *
   * @param inRollout those of them that may be silent for a while
   */
  record Known(Set<String> nodes, Source source, Set<String> inRollout) implements NodeExpectation {
    public Known {
      nodes = Set.copyOf(nodes);
      inRollout = Set.copyOf(inRollout);
    }
  }

  /** Nobody says so: those that report. */
  record Learned() implements NodeExpectation {}

  /** Cannot be told at present. */
  record Unreadable() implements NodeExpectation {}

  /** What is expected in the end. */
  record Expected(Map<String, Source> nodes, Set<String> inRollout, boolean isCertain) {
    public Expected {
      nodes = Map.copyOf(nodes);
      inRollout = Set.copyOf(inRollout);
    }

    public static final Expected NOTHING = new Expected(Map.of(), Set.of(), false);
  }
}
