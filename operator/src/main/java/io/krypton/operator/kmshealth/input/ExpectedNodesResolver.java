// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.fabric8.kubernetes.api.model.Node;
import io.krypton.api.kmshealth.NodeHealth.Source;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Resolves which nodes must report. */
public final class ExpectedNodesResolver {
  private ExpectedNodesResolver() {}

  public static NodeExpectation resolve(NodeSelection by, NodeWatch watch) {
    return switch (by) {
      case NodeSelection.Names(var names) ->
          new NodeExpectation.Known(
              names,
              Source.SPEC,
              // Only a help: nodes without the label of the control plane are never excused.
              watch.nodes(Map.of()).map(ExpectedNodesResolver::inRollout).orElse(Set.of()));
      case NodeSelection.Platform(var names, var inRollout) ->
          new NodeExpectation.Known(names, Source.PLATFORM, inRollout);
      case NodeSelection.Labels(var labels, var binding) ->
          watch
              .nodes(labels)
              .map(nodes -> byLabels(nodes, binding))
              .orElse(new NodeExpectation.Unreadable());
      case NodeSelection.Unknown unknown -> new NodeExpectation.Unreadable();
    };
  }

  static NodeExpectation byLabels(List<Node> nodes, boolean binding) {
    return nodes.isEmpty() && !binding
        ? new NodeExpectation.Learned()
        : new NodeExpectation.Known(names(nodes, node -> true), Source.SELECTOR, inRollout(nodes));
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

  /** How the expected nodes are selected. */
  public sealed interface NodeSelection {
    /** Their names. */
    record Names(Set<String> names) implements NodeSelection {}

    /**
     * Labels of Node objects, each with this value.
     *
     * @param binding false: if no node has them, whoever reports is expected
     */
    record Labels(Map<String, String> labels, boolean binding) implements NodeSelection {}

    /** The platform itself, which also knows who is in a rollout. */
    record Platform(Set<String> names, Set<String> inRollout) implements NodeSelection {}

    /** Not known at present. */
    record Unknown() implements NodeSelection {}
  }
}
