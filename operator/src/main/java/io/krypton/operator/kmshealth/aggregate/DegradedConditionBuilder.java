// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static java.util.stream.Collectors.joining;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.DegradedReason;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.PluginKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The condition over all plugins. It holds no time, age or counter: the same state gives the same
 * bytes, or every reconcile would write.
 */
final class DegradedConditionBuilder {
  private static final int MOST_LINES = 20;

  private DegradedConditionBuilder() {}

  /** The condition, still without its time; null while there is nothing to publish. */
  static @Nullable Condition of(
      SortedMap<PluginKey, PluginFinding> items,
      @Nullable KeyId writeKey,
      @Nullable Condition published) {
    if (any(items, degradedReason -> true)) {
      return condition(
          any(items, DegradedReason::isKnownBad) ? ConditionStatus.TRUE : ConditionStatus.UNKNOWN,
          reason(items),
          message(lines(items, writeKey)));
    }
    if (items.isEmpty() || items.containsValue(PluginFinding.PENDING)) {
      return items.isEmpty() ? null : published;
    }
    return condition(ConditionStatus.FALSE, KmsHealthReasons.AS_EXPECTED, "");
  }

  private static Condition condition(ConditionStatus status, String reason, String message) {
    return Condition.of(KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED, status, reason, message);
  }

  private static boolean any(
      SortedMap<PluginKey, PluginFinding> items, Predicate<DegradedReason> which) {
    return items.values().stream()
        .anyMatch(
            pluginFinding ->
                pluginFinding instanceof PluginFinding.Failing failing
                    && which.test(failing.reason()));
  }

  private static String reason(SortedMap<PluginKey, PluginFinding> items) {
    return Arrays.stream(DegradedReason.values())
        .filter(degradedReason -> any(items, degradedReason::equals))
        .map(DegradedReason::conditionReason)
        .collect(joining("And"));
  }

  static String message(List<String> lines) {
    if (lines.size() <= MOST_LINES) {
      return String.join("\n", lines);
    }
    return String.join("\n", lines.subList(0, MOST_LINES))
        + "\n... and %d more".formatted(lines.size() - MOST_LINES);
  }

  private static List<String> lines(
      SortedMap<PluginKey, PluginFinding> items, @Nullable KeyId writeKey) {
    var byNode = new TreeMap<String, SortedMap<PluginKey, PluginFinding>>();
    items.forEach(
        (pluginKey, pluginFinding) ->
            byNode
                .computeIfAbsent(pluginKey.node(), node -> new TreeMap<>())
                .put(pluginKey, pluginFinding));
    var lines = new ArrayList<String>();
    byNode.forEach((node, own) -> lines.addAll(linesOf(node, own, writeKey)));
    return lines;
  }

  private static List<String> linesOf(
      String node, SortedMap<PluginKey, PluginFinding> items, @Nullable KeyId writeKey) {
    var lines = new ArrayList<String>();
    items.forEach(
        (pluginKey, pluginFinding) -> {
          if (pluginFinding instanceof PluginFinding.Failing failing) {
            lines.add(line(node, pluginKey, failing, items, writeKey));
          }
        });
    // What concerns all plugins of a node is one line.
    return lines.stream().distinct().toList();
  }

  private static String line(
      String node,
      PluginKey pluginKey,
      PluginFinding.Failing failing,
      SortedMap<PluginKey, PluginFinding> ofNode,
      @Nullable KeyId writeKey) {
    return switch (failing.reason()) {
      case PLUGIN_UNHEALTHY -> plugin(pluginKey, "unhealthy", failing, writeKey);
      case PLUGIN_ERROR -> plugin(pluginKey, "error", failing, writeKey);
      case REPORTER_STALE ->
          "node %s: reporter stale%s"
              .formatted(node, failing.detail() == null ? "" : ": " + failing.detail());
      case REPORTER_MISSING -> shared(node, pluginKey, failing, ofNode) + ": no report";
      case MALFORMED_REPORT ->
          shared(node, pluginKey, failing, ofNode) + ": report cannot be parsed";
    };
  }

  private static String shared(
      String node,
      PluginKey pluginKey,
      PluginFinding.Failing failing,
      SortedMap<PluginKey, PluginFinding> ofNode) {
    var all =
        ofNode.values().stream()
            .allMatch(
                pluginFinding ->
                    pluginFinding instanceof PluginFinding.Failing other
                        && other.reason() == failing.reason());
    return all || pluginKey.keyId() == null
        ? "node " + node
        : "node %s keyID %s".formatted(node, pluginKey.keyId());
  }

  private static String plugin(
      PluginKey pluginKey, String reason, PluginFinding.Failing failing, @Nullable KeyId writeKey) {
    var line = new StringBuilder("node %s keyID %s".formatted(pluginKey.node(), pluginKey.keyId()));
    if (writeKey != null) {
      line.append(writeKey.equals(pluginKey.keyId()) ? " (write)" : " (read)");
    }
    line.append(": ").append(reason);
    if (failing.cause() != null) {
      line.append(": ").append(failing.cause());
    }
    if (failing.detail() != null) {
      line.append(": ").append(failing.detail());
    }
    return line.append(failing.stale() ? " (reporter stale)" : "").toString();
  }
}
