package io.krypton.operator.kmshealth;

import java.util.Map;
import java.util.Set;

/** Who says which nodes must report. */
sealed interface ExpectedBy {
  /** Their names. */
  record Names(Set<String> names) implements ExpectedBy {}

  /**
   * Labels of Node objects, each with this value.
   *
   * @param binding false: if no node has them, whoever reports is expected
   */
  record Labels(Map<String, String> labels, boolean binding) implements ExpectedBy {}

  /** The platform itself, which also knows who is in a rollout. */
  record Platform(Set<String> names, Set<String> inRollout) implements ExpectedBy {}

  /** Nothing can be told at present. */
  record Nobody() implements ExpectedBy {}
}
