package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.Node;
import io.krypton.api.kmshealth.NodeHealth.Source;
import io.krypton.operator.kmshealth.verdict.Expectation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Finds out which nodes must report. */
final class Expectations {
  private Expectations() {}

  static Expectation of(ExpectedBy by, NodeWatch watch) {
    return switch (by) {
      case ExpectedBy.Names(var names) ->
          new Expectation.Known(
              names,
              Source.SPEC,
              // Only a help: nodes without the label of the control plane are never excused.
              watch.nodes(Map.of()).map(Expectations::inRollout).orElse(Set.of()));
      case ExpectedBy.Platform(var names, var inRollout) ->
          new Expectation.Known(names, Source.PLATFORM, inRollout);
      case ExpectedBy.Labels(var labels, var binding) ->
          watch
              .nodes(labels)
              .map(nodes -> byLabels(nodes, binding))
              .orElse(new Expectation.Unreadable());
      case ExpectedBy.Nobody nobody -> new Expectation.Unreadable();
    };
  }

  static Expectation byLabels(List<Node> nodes, boolean binding) {
    return nodes.isEmpty() && !binding
        ? new Expectation.Learned()
        : new Expectation.Known(names(nodes, node -> true), Source.SELECTOR, inRollout(nodes));
  }

  static Set<String> inRollout(List<Node> nodes) {
    return names(nodes, node -> isUnschedulable(node) || isNotReady(node));
  }

  private static Set<String> names(List<Node> nodes, Predicate<Node> which) {
    return nodes.stream()
        .filter(which)
        .map(node -> node.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  private static boolean isUnschedulable(Node node) {
    return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
  }

  /** A node that has never said whether it is ready is not known to be in a rollout. */
  private static boolean isNotReady(Node node) {
    return node.getStatus() != null
        && node.getStatus().getConditions() != null
        && node.getStatus().getConditions().stream()
            .anyMatch(
                condition ->
                    "Ready".equals(condition.getType()) && !"True".equals(condition.getStatus()));
  }
}
