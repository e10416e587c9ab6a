package io.krypton.agent.reporter.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.kube.ApiRequest;

/** Builds the apply of our fields, and only ours, to the target's status. */
public final class StatusApply {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ReportTarget reportTarget;
  private final String fieldManager;

  public StatusApply(ReportTarget reportTarget, String nodeName) {
    this.reportTarget = reportTarget;
    this.fieldManager = FieldManager.of(nodeName);
  }

  /** A report in the form of a condition; drops typed entries of the same manager. */
  public ApiRequest condition(ObjectNode condition) {
    var object = object();
    object.putObject("status").putArray("conditions").add(condition);
    return ApiRequest.apply(reportTarget.statusPath(), fieldManager, object);
  }

  /** A report as typed entries; drops a condition of the same manager. */
  public ApiRequest healthReports(Iterable<ObjectNode> entries) {
    var object = object();
    var list = JSON.arrayNode();
    entries.forEach(list::add);
    // Without entries there must be no status at all: an empty one can be refused.
    if (!list.isEmpty()) {
      var parent = object.putObject("status");
      for (var field : reportTarget.typedListParents()) {
        parent = parent.putObject(field);
      }
      parent.putObject("encryptionStatus").set("healthReports", list);
    }
    return ApiRequest.apply(reportTarget.statusPath(), fieldManager, object);
  }

  public ApiRequest read() {
    return ApiRequest.get(reportTarget.statusPath());
  }

  private ObjectNode object() {
    var object = JSON.objectNode();
    object.put("apiVersion", reportTarget.apiVersion());
    object.put("kind", reportTarget.kind());
    object.putObject("metadata").put("name", ReportTarget.OBJECT_NAME);
    return object;
  }
}
