package io.krypton.agent.gate.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.gate.snapshot.ConfigurationView;
import io.krypton.agent.gate.snapshot.ProviderJson;
import io.krypton.agent.json.JsonTree;
import java.util.List;

/** A page of checks as JSON; reasons are for those who may see them. */
final class JsonPage {
  private final boolean reasons;

  JsonPage(boolean reasons) {
    this.reasons = reasons;
  }

  Reply reply(HealthEndpoint endpoint, RootPage page, List<HealthCheck> checks, GateView view) {
    var json =
        object()
            .put("endpoint", endpoint.word())
            .put("status", page.passes() ? "passed" : "failed")
            .put("verdict", view.judgement().overall().word());
    json.set("config", configuration(view));
    var list = json.putArray("checks");
    for (var check : checks) {
      list.add(check(check, page.excludes(check)));
    }
    return Reply.text(page.passes() ? 200 : 500, JsonTree.write(json) + "\n")
        .withContentType("application/json");
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private ObjectNode configuration(GateView view) {
    ConfigurationView configuration = view.judgement().configuration();
    var json = object();
    var inUse = configuration.inUse();
    if (inUse != null) {
      json.put("hash", inUse.hash()).put("loadedAt", inUse.loadedAt().toString());
    }
    var waiting = configuration.waiting();
    if (waiting != null) {
      json.put("pending", waiting.hash());
    }
    if (reasons && !view.judgement().complaint().isEmpty()) {
      json.put("error", view.judgement().complaint());
    }
    return json;
  }

  private ObjectNode check(HealthCheck check, boolean excluded) {
    var json = object().put("name", check.name());
    if (!check.group().isEmpty()) {
      json.put("group", check.group());
    }
    json.put("ok", check.isOk()).put("excluded", excluded);
    var state = check.provider();
    if (state != null) {
      json.set("provider", reasons ? ProviderJson.of(state) : ProviderJson.withoutReasons(state));
    }
    return json;
  }
}
