// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The record of a provider, with the same fields in the same order wherever JSON is written. */
public final class ProviderJson {
  private static final int SHORT_MESSAGE = 80;

  private ProviderJson() {}

  public static ObjectNode of(ProviderStatus state) {
    var json = identity(state);
    json.put("verdict", state.verdict().value());
    var probeFinding = state.finding();
    if (probeFinding != null) {
      json.put("reason", probeFinding.reason().value());
      json.put("phase", probeFinding.phase().value());
      putUnlessEmpty(json, "code", probeFinding.code());
    }
    putUnlessEmpty(json, "message", state.message());
    if (probeFinding != null) {
      putUnlessEmpty(json, "hint", probeFinding.hint());
    }
    times(json, state);
    return json;
  }

  /** Without what explains, for peers who may not see reasons. */
  public static ObjectNode withoutReasons(ProviderStatus state) {
    return identity(state).put("verdict", state.verdict().value());
  }

  /** With a message of at most 80 characters. */
  public static ObjectNode shortened(ProviderStatus state) {
    var json = of(state);
    var message = json.path("message").asText();
    if (message.codePointCount(0, message.length()) > SHORT_MESSAGE) {
      json.put("message", message.substring(0, message.offsetByCodePoints(0, SHORT_MESSAGE)));
    }
    return json;
  }

  private static ObjectNode identity(ProviderStatus state) {
    var provider = state.provider();
    return JsonNodeFactory.instance
        .objectNode()
        .put("index", provider.index())
        .put("name", provider.name())
        .put("api", provider.api().value())
        .put("role", provider.role().name())
        .put("address", provider.address())
        .put("required", provider.required());
  }

  private static void times(ObjectNode json, ProviderStatus state) {
    var observation = state.observation();
    if (observation == null) {
      return;
    }
    putUnlessEmpty(json, "keyIDHash", observation.keyIdHash());
    state.degraded().ifPresent(reason -> json.put("degraded", reason));
    if (state.isSuspect()) {
      json.put("suspect", true);
    }
    if (state.attempts() > 0) {
      json.put("attempts", state.attempts());
    }
    json.put("since", ProviderStatus.formatSeconds(observation.since()));
    json.put("lastProbe", ProviderStatus.formatSeconds(observation.lastProbe()));
  }

  private static void putUnlessEmpty(ObjectNode json, String field, String value) {
    if (!value.isEmpty()) {
      json.put(field, value);
    }
  }
}
