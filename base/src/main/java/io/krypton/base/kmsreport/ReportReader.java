// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Reads all reports on an object. The message decides, not the condition's status, and a report
 * that cannot be read harms its own node only.
 */
public final class ReportReader {
  private ReportReader() {}

  /** A condition of the object; those that are not of reporters are passed over. */
  public record ReportCondition(String type, String message) {}

  /** The reports by node. */
  public static SortedMap<String, NodeReport> read(
      List<ReportCondition> conditions, List<TypedEntry> entries) {
    var nodes = new TreeMap<String, NodeReport>();
    for (var condition : conditions) {
      ReportNames.nodeOfCondition(condition.type())
          .ifPresent(node -> nodes.putIfAbsent(node, read(node, condition.message())));
    }
    entries.stream()
        .collect(Collectors.groupingBy(TypedEntry::nodeName))
        .forEach((node, own) -> nodes.merge(node, TypedReport.read(node, own), NodeReport::merge));
    return nodes;
  }

  /** What the message of a node's condition says. */
  public static NodeReport read(String node, String message) {
    if (message.length() > ReportLimits.MAX_READ_MESSAGE) {
      return NodeReport.malformed(node, message);
    }
    return message.startsWith("[")
        ? JsonReport.read(node, message)
        : LineReport.read(node, message);
  }
}
