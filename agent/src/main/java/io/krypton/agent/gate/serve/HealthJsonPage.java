// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.gate.serve.HealthChecks.Check;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.serve.HealthChecks.HealthEndpoint;
import io.krypton.agent.gate.status.ConfigurationStatus;
import io.krypton.agent.gate.status.ProviderJson;
import io.krypton.agent.json.JsonTree;
import io.krypton.base.http.PageResponse;
import java.util.List;

/** A page of checks as JSON; reasons are for those who may see them. */
final class HealthJsonPage {
  private final boolean reasons;

  HealthJsonPage(boolean reasons) {
    this.reasons = reasons;
  }

  PageResponse response(
      HealthEndpoint endpoint, HealthTextPage page, List<Check> checks, GateView view) {
    var json =
        object()
            .put("endpoint", endpoint.value())
            .put("status", page.passes() ? "passed" : "failed")
            .put("verdict", view.status().overall().value());
    json.set("config", configuration(view));
    var list = json.putArray("checks");
    for (var check : checks) {
      list.add(check(check, page.excludes(check)));
    }
    return PageResponse.json(page.passes() ? 200 : 500, JsonTree.write(json) + "\n");
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private ObjectNode configuration(GateView view) {
    ConfigurationStatus configuration = view.status().configuration();
    var json = object();
    var inUse = configuration.inUse();
    if (inUse != null) {
      json.put("hash", inUse.hash()).put("loadedAt", inUse.loadedAt().toString());
    }
    var waiting = configuration.pending();
    if (waiting != null) {
      json.put("pending", waiting.hash());
    }
    if (reasons && !view.status().configurationError().isEmpty()) {
      json.put("error", view.status().configurationError());
    }
    return json;
  }

  private ObjectNode check(Check check, boolean excluded) {
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
