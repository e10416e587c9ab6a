// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.api.kmshealth.NodeHealth.State;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.PluginKey;
import io.krypton.operator.kmshealth.input.NodeExpectation.Expected;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** The list of expected nodes, each with the worst of what is shown about its plugins. */
final class NodeHealthBuilder {
  private static final List<State> WORST_FIRST =
      List.of(
          State.UNHEALTHY,
          State.ERROR,
          State.STALE,
          State.MISSING,
          State.MALFORMED,
          State.WAITING,
          State.HEALTHY);

  private NodeHealthBuilder() {}

  static List<NodeHealth> of(
      Expected expected,
      SortedMap<PluginKey, PluginFinding> items,
      PublishedStatus publishedStatus,
      Instant now) {
    var known = new TreeMap<String, Instant>();
    publishedStatus
        .nodes()
        .forEach(
            node ->
                known.put(node.nodeName(), Objects.requireNonNullElse(node.expectedSince(), now)));
    var nodes = new ArrayList<NodeHealth>();
    expected.nodes().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            node ->
                nodes.add(
                    new NodeHealth(
                        node.getKey(),
                        stateOf(node.getKey(), items),
                        node.getValue(),
                        known.getOrDefault(node.getKey(), now))));
    return nodes;
  }

  private static State stateOf(String node, SortedMap<PluginKey, PluginFinding> items) {
    return items.entrySet().stream()
        .filter(item -> item.getKey().node().equals(node))
        .map(item -> state(item.getValue()))
        .min(Comparator.comparingInt(WORST_FIRST::indexOf))
        .orElse(State.WAITING);
  }

  private static State state(PluginFinding pluginFinding) {
    return switch (pluginFinding) {
      case PluginFinding.Healthy healthy -> State.HEALTHY;
      case PluginFinding.Pending pending -> State.WAITING;
      case PluginFinding.Failing failing ->
          switch (failing.reason()) {
            case PLUGIN_UNHEALTHY -> State.UNHEALTHY;
            case PLUGIN_ERROR -> State.ERROR;
            case REPORTER_STALE -> State.STALE;
            case REPORTER_MISSING -> State.MISSING;
            case MALFORMED_REPORT -> State.MALFORMED;
          };
    };
  }
}
