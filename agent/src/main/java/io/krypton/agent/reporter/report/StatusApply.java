// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.kube.ApiRequest;
import io.krypton.base.kmsreport.ReportNames;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.base.kmsreport.TypedEntry;
import java.util.List;
import java.util.Map;

/** Builds the apply of our fields, and only ours, to the target's status. */
public final class StatusApply {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ReportTarget target;
  private final String fieldManager;

  public StatusApply(ReportTarget target, String nodeName) {
    this.target = target;
    this.fieldManager = ReportNames.fieldManager(nodeName);
  }

  /** A report in the form of a condition; drops typed entries of the same manager. */
  public ApiRequest condition(Map<String, String> fields) {
    var object = object();
    var condition = object.putObject("status").putArray("conditions").addObject();
    fields.forEach(condition::put);
    return ApiRequest.apply(target.statusPath(), fieldManager, object);
  }

  /** A report as typed entries; drops a condition of the same manager. */
  public ApiRequest healthReports(List<TypedEntry> entries) {
    var object = object();
    var list = JSON.arrayNode();
    entries.forEach(entry -> list.add(object(entry)));
    // Without entries there must be no status at all: an empty one can be refused.
    if (!list.isEmpty()) {
      var parent = object.putObject("status");
      for (var field : target.typedListParents()) {
        parent = parent.putObject(field);
      }
      parent.putObject("encryptionStatus").set("healthReports", list);
    }
    return ApiRequest.apply(target.statusPath(), fieldManager, object);
  }

  public ApiRequest read() {
    return ApiRequest.get(target.statusPath());
  }

  private static ObjectNode object(TypedEntry entry) {
    var object = JSON.objectNode();
    entry
        .fields()
        .forEach(
            (name, value) -> {
              switch (value) {
                case Integer number -> object.put(name, number);
                case List<?> texts ->
                    texts.forEach(text -> object.withArray(name).add(text.toString()));
                default -> object.put(name, value.toString());
              }
            });
    return object;
  }

  private ObjectNode object() {
    var object = JSON.objectNode();
    object.put("apiVersion", target.apiVersion());
    object.put("kind", target.kind());
    object.putObject("metadata").put("name", ReportTarget.OBJECT_NAME);
    return object;
  }
}
