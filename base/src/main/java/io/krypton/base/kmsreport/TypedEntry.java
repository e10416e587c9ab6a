// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the typed list of reports, as the API has it: one plugin of one node. Null marks
 * what is absent or could not be read.
 *
 * @param status {@code Healthy}, {@code Unhealthy} or {@code Error}
 * @param role {@code Write} or {@code Read}
 */
public record TypedEntry(
    String nodeName,
    String keyID,
    @Nullable String status,
    @Nullable Instant lastCheckedTime,
    @Nullable String remoteKeyID,
    @Nullable String detail,
    @Nullable String cause,
    @Nullable Integer intervalSeconds,
    @Nullable String role,
    @Nullable String lease,
    List<String> unreadableOldKeys) {

  public TypedEntry {
    lastCheckedTime =
        lastCheckedTime == null ? null : lastCheckedTime.truncatedTo(ChronoUnit.SECONDS);
    unreadableOldKeys = List.copyOf(unreadableOldKeys);
  }

  /** The fields by their JSON names, without those that are absent, in a fixed order. */
  public Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("nodeName", nodeName);
    fields.put("keyID", keyID);
    put(fields, "status", status);
    put(
        fields,
        "lastCheckedTime",
        lastCheckedTime == null ? null : ReportTimes.format(lastCheckedTime));
    put(fields, "remoteKeyID", remoteKeyID);
    put(fields, "detail", detail);
    put(fields, "cause", cause);
    put(fields, "intervalSeconds", intervalSeconds);
    put(fields, "role", role);
    put(fields, "lease", lease);
    if (!unreadableOldKeys.isEmpty()) {
      fields.put("unreadableOldKeys", unreadableOldKeys);
    }
    return fields;
  }

  private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
    if (value != null && !value.equals("")) {
      fields.put(name, value);
    }
  }
}
