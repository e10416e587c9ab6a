package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.kmshealth.NodeHealth.Source;
import java.util.Map;
import java.util.Set;

/** Which nodes must report. */
public sealed interface Expectation {
  /**
   * Somebody says so.
   *
   * @param inRollout those of them that may be silent for a while
   */
  record Known(Set<String> nodes, Source source, Set<String> inRollout) implements Expectation {
    public Known {
      nodes = Set.copyOf(nodes);
      inRollout = Set.copyOf(inRollout);
    }
  }

  /** Nobody says so: those that report. */
  record Learned() implements Expectation {}

  /** Cannot be told at present. */
  record Unreadable() implements Expectation {}

  /** What is expected in the end. */
  record Expected(Map<String, Source> nodes, Set<String> inRollout, boolean isCertain) {
    public Expected {
      nodes = Map.copyOf(nodes);
      inRollout = Set.copyOf(inRollout);
    }

    static final Expected NOTHING = new Expected(Map.of(), Set.of(), false);
  }
}
