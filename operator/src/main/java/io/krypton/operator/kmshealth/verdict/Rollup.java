package io.krypton.operator.kmshealth.verdict;

import static java.util.stream.Collectors.joining;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditions;
import io.krypton.api.kmshealth.KmsHealthReasons;
import io.krypton.operator.kmshealth.report.KeyId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sum over all plugins. It holds no time and nothing that moves: the same state gives the same
 * bytes, or every look would become a write.
 */
final class Rollup {
  private static final int MOST_LINES = 20;

  private Rollup() {}

  /** The condition, still without its time; null as long as nothing is to be said. */
  static @Nullable Condition of(
      SortedMap<Item, Finding> items, @Nullable KeyId writeKey, @Nullable Condition published) {
    if (any(items, trouble -> true)) {
      return condition(
          any(items, Trouble::isKnownBad) ? ConditionStatus.TRUE : ConditionStatus.UNKNOWN,
          reason(items),
          message(lines(items, writeKey)));
    }
    if (items.isEmpty() || items.containsValue(Finding.WAITING)) {
      return items.isEmpty() ? null : published;
    }
    return condition(ConditionStatus.FALSE, KmsHealthReasons.AS_EXPECTED, "");
  }

  private static Condition condition(ConditionStatus status, String reason, String message) {
    return Condition.of(KmsHealthConditions.KMS_PLUGINS_DEGRADED, status, reason, message);
  }

  private static boolean any(SortedMap<Item, Finding> items, Predicate<Trouble> which) {
    return items.values().stream()
        .anyMatch(
            finding -> finding instanceof Finding.Failing failing && which.test(failing.trouble()));
  }

  private static String reason(SortedMap<Item, Finding> items) {
    return Arrays.stream(Trouble.values())
        .filter(trouble -> any(items, trouble::equals))
        .map(Trouble::reason)
        .collect(joining("And"));
  }

  static String message(List<String> lines) {
    if (lines.size() <= MOST_LINES) {
      return String.join("\n", lines);
    }
    return String.join("\n", lines.subList(0, MOST_LINES))
        + "\n... and %d more".formatted(lines.size() - MOST_LINES);
  }

  private static List<String> lines(SortedMap<Item, Finding> items, @Nullable KeyId writeKey) {
    var byNode = new TreeMap<String, SortedMap<Item, Finding>>();
    items.forEach(
        (item, finding) ->
            byNode.computeIfAbsent(item.node(), node -> new TreeMap<>()).put(item, finding));
    var lines = new ArrayList<String>();
    byNode.forEach((node, own) -> lines.addAll(linesOf(node, own, writeKey)));
    return lines;
  }

  private static List<String> linesOf(
      String node, SortedMap<Item, Finding> items, @Nullable KeyId writeKey) {
    var lines = new ArrayList<String>();
    items.forEach(
        (item, finding) -> {
          if (finding instanceof Finding.Failing failing) {
            lines.add(line(node, item, failing, items, writeKey));
          }
        });
    // What concerns all plugins of a node is said once.
    return lines.stream().distinct().toList();
  }

  private static String line(
      String node,
      Item item,
      Finding.Failing failing,
      SortedMap<Item, Finding> ofNode,
      @Nullable KeyId writeKey) {
    return switch (failing.trouble()) {
      case PLUGIN_UNHEALTHY -> plugin(item, "unhealthy", failing, writeKey);
      case PLUGIN_ERROR -> plugin(item, "error", failing, writeKey);
      case REPORTER_STALE ->
          "node %s: reporter stale%s"
              .formatted(node, failing.detail() == null ? "" : ": " + failing.detail());
      case REPORTER_MISSING -> shared(node, item, failing, ofNode) + ": no report";
      case MALFORMED_REPORT -> shared(node, item, failing, ofNode) + ": report cannot be parsed";
    };
  }

  private static String shared(
      String node, Item item, Finding.Failing failing, SortedMap<Item, Finding> ofNode) {
    var all =
        ofNode.values().stream()
            .allMatch(
                finding ->
                    finding instanceof Finding.Failing other
                        && other.trouble() == failing.trouble());
    return all || item.keyId() == null
        ? "node " + node
        : "node %s keyID %s".formatted(node, item.keyId());
  }

  private static String plugin(
      Item item, String word, Finding.Failing failing, @Nullable KeyId writeKey) {
    var line = new StringBuilder("node %s keyID %s".formatted(item.node(), item.keyId()));
    if (writeKey != null) {
      line.append(writeKey.equals(item.keyId()) ? " (write)" : " (read)");
    }
    line.append(": ").append(word);
    if (failing.cause() != null) {
      line.append(": ").append(failing.cause());
    }
    if (failing.detail() != null) {
      line.append(": ").append(failing.detail());
    }
    return line.append(failing.silent() ? " (reporter stale)" : "").toString();
  }
}
