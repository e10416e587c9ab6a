package io.krypton.agent.gate.snapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The record of a provider, with the same fields in the same order wherever JSON is written. */
public final class ProviderJson {
  private static final int SHORT_MESSAGE = 80;

  private ProviderJson() {}

  public static ObjectNode of(ProviderState state) {
    var json = identity(state);
    json.put("verdict", state.verdict().word());
    var finding = state.finding();
    if (finding != null) {
      json.put("reason", finding.reason().word());
      json.put("phase", finding.phase().word());
      putUnlessEmpty(json, "code", finding.code());
    }
    putUnlessEmpty(json, "message", state.message());
    if (finding != null) {
      putUnlessEmpty(json, "hint", finding.hint());
    }
    times(json, state);
    return json;
  }

  /** Without what explains, for peers who may not see reasons. */
  public static ObjectNode withoutReasons(ProviderState state) {
    return identity(state).put("verdict", state.verdict().word());
  }

  /** With a message of at most 80 characters. */
  public static ObjectNode shortened(ProviderState state) {
    var json = of(state);
    var message = json.path("message").asText();
    if (message.codePointCount(0, message.length()) > SHORT_MESSAGE) {
      json.put("message", message.substring(0, message.offsetByCodePoints(0, SHORT_MESSAGE)));
    }
    return json;
  }

  private static ObjectNode identity(ProviderState state) {
    var provider = state.provider();
    return JsonNodeFactory.instance
        .objectNode()
        .put("index", provider.index())
        .put("name", provider.name())
        .put("api", provider.api().word())
        .put("role", provider.role().name())
        .put("address", provider.address())
        .put("required", provider.required());
  }

  private static void times(ObjectNode json, ProviderState state) {
    var observed = state.observed();
    if (observed == null) {
      return;
    }
    putUnlessEmpty(json, "keyIDHash", observed.keyIdHash());
    state.degraded().ifPresent(reason -> json.put("degraded", reason));
    if (state.isSuspect()) {
      json.put("suspect", true);
    }
    if (state.attempts() > 0) {
      json.put("attempts", state.attempts());
    }
    json.put("since", ProviderState.seconds(observed.since()));
    json.put("lastProbe", ProviderState.seconds(observed.lastProbe()));
  }

  private static void putUnlessEmpty(ObjectNode json, String field, String value) {
    if (!value.isEmpty()) {
      json.put(field, value);
    }
  }
}
