// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.HealthReport.PluginRole;
import io.krypton.api.kmshealth.HealthReport.PluginStatus;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportReader;
import io.krypton.base.kmsreport.ReportReader.ReportCondition;
import io.krypton.base.kmsreport.TypedEntry;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Reads all reports in the status of an object. The format itself is {@link ReportReader}'s. */
public final class ReportParser {
  private ReportParser() {}

  /** The reports by node. */
  public static SortedMap<String, NodeReport> parse(
      List<Condition> conditions, List<HealthReport> entries) {
    return ReportReader.read(
        conditions.stream()
            .map(condition -> new ReportCondition(condition.type(), condition.message()))
            .toList(),
        entries.stream().map(ReportParser::typedEntry).toList());
  }

  private static TypedEntry typedEntry(HealthReport entry) {
    return new TypedEntry(
        entry.nodeName(),
        entry.keyID(),
        statusOf(entry.status()),
        entry.lastCheckedTime(),
        entry.remoteKeyID(),
        entry.detail(),
        entry.cause(),
        entry.intervalSeconds(),
        roleOf(entry.role()),
        entry.lease(),
        entry.unreadableOldKeys());
  }

  private static @Nullable String statusOf(@Nullable PluginStatus status) {
    return switch (status) {
      case HEALTHY -> "Healthy";
      case UNHEALTHY -> "Unhealthy";
      case ERROR -> "Error";
      case null -> null;
    };
  }

  private static @Nullable String roleOf(@Nullable PluginRole role) {
    return switch (role) {
      case WRITE -> "Write";
      case READ -> "Read";
      case null -> null;
    };
  }
}
