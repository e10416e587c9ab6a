package io.krypton.operator.kmshealth.report;

import static io.krypton.api.kmshealth.KmsHealthConditions.REPORTER_PREFIX;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads all reports on an object. The message decides, not the condition's status, and a report
 * that cannot be read harms its own node only.
 */
public final class ReportReader {
  static final int MOST_PLUGINS = 64;
  private static final int LONGEST_MESSAGE = 64 * 1024;

  private ReportReader() {}

  /** The reports by node. */
  public static SortedMap<String, NodeReport> read(
      List<Condition> conditions, List<HealthReport> entries) {
    var nodes = new TreeMap<String, NodeReport>();
    for (var condition : conditions) {
      if (condition.type().startsWith(REPORTER_PREFIX)) {
        var node = condition.type().substring(REPORTER_PREFIX.length());
        nodes.putIfAbsent(node, read(node, condition.message()));
      }
    }
    entries.stream()
        .collect(Collectors.groupingBy(HealthReport::nodeName))
        .forEach((node, own) -> nodes.merge(node, TypedForm.read(node, own), NodeReport::and));
    return nodes;
  }

  private static NodeReport read(String node, String message) {
    if (message.length() > LONGEST_MESSAGE) {
      return NodeReport.malformed(node, message);
    }
    return message.startsWith("[") ? JsonForm.read(node, message) : LineForm.read(node, message);
  }
}
