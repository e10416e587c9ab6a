package io.krypton.operator.kmshealth.input;

import static io.krypton.api.kmshealth.KmsHealthConditionTypes.REPORTER_PREFIX;

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
public final class ReportParser {
  static final int MOST_PLUGINS = 64;
  private static final int LONGEST_MESSAGE = 64 * 1024;

  private ReportParser() {}

  /** The reports by node. */
  public static SortedMap<String, ParsedNodeReport> parse(
      List<Condition> conditions, List<HealthReport> entries) {
    var nodes = new TreeMap<String, ParsedNodeReport>();
    for (var condition : conditions) {
      if (condition.type().startsWith(REPORTER_PREFIX)) {
        var node = condition.type().substring(REPORTER_PREFIX.length());
        nodes.putIfAbsent(node, parse(node, condition.message()));
      }
    }
    entries.stream()
        .collect(Collectors.groupingBy(HealthReport::nodeName))
        .forEach(
            (node, own) ->
                nodes.merge(node, TypedReportParser.parse(node, own), ParsedNodeReport::merge));
    return nodes;
  }

  private static ParsedNodeReport parse(String node, String message) {
    if (message.length() > LONGEST_MESSAGE) {
      return ParsedNodeReport.malformed(node, message);
    }
    return message.startsWith("[")
        ? JsonReportParser.parse(node, message)
        : LineReportParser.parse(node, message);
  }
}
