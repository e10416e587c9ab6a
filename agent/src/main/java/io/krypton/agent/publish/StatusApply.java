package io.krypton.agent.publish;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Builds the apply of our fields, and only ours, to the target's status. */
public final class StatusApply {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Target target;
  private final String fieldManager;

  public StatusApply(Target target, String nodeName) {
    this.target = target;
    this.fieldManager = FieldManager.of(nodeName);
  }

  /** A report in the form of a condition; drops typed entries of the same manager. */
  public ApiCall condition(ObjectNode condition) {
    var object = object();
    object.putObject("status").putArray("conditions").add(condition);
    return ApiCall.apply(target.statusPath(), fieldManager, object);
  }

  /** A report as typed entries; drops a condition of the same manager. */
  public ApiCall healthReports(Iterable<ObjectNode> entries) {
    var object = object();
    var list = JSON.arrayNode();
    entries.forEach(list::add);
    // Without entries there must be no status at all: an empty one can be refused.
    if (!list.isEmpty()) {
      var parent = object.putObject("status");
      for (var field : target.typedListParents()) {
        parent = parent.putObject(field);
      }
      parent.putObject("encryptionStatus").set("healthReports", list);
    }
    return ApiCall.apply(target.statusPath(), fieldManager, object);
  }

  public ApiCall read() {
    return ApiCall.get(target.statusPath());
  }

  private ObjectNode object() {
    var object = JSON.objectNode();
    object.put("apiVersion", target.apiVersion());
    object.put("kind", target.kind());
    object.putObject("metadata").put("name", Target.OBJECT_NAME);
    return object;
  }
}
