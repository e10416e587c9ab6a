// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.gate.config.GateSettingsFile;
import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.kms.config.ReadResult;
import io.krypton.kms.health.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** One line for each change that somebody may want to know of, and none for what stays. */
final class TransitionLog {
  private static final Logger log = LoggerFactory.getLogger(TransitionLog.class);

  private Map<String, String> logged = Map.of();

  void configuration(ReadResult result, GateSettingsFile settings) {
    switch (result) {
      case ReadResult.Invalid wrong ->
          log.atWarn()
              .addKeyValue("hash", wrong.contentHash())
              .addKeyValue("hint", wrong.hint())
              .log("the encryption configuration cannot be used: {}", wrong.text());
      case ReadResult.Loaded loaded -> {
        loaded.warnings().forEach(log::warn);
        var providers = loaded.configuration().kmsProviders();
        providers.forEach(
            provider ->
                provider
                    .warnings()
                    .forEach(warning -> log.warn("provider {}: {}", provider.name(), warning)));
        settings.providers().keySet().stream()
            .filter(name -> providers.stream().noneMatch(provider -> provider.name().equals(name)))
            .forEach(
                name -> log.warn("the settings name provider {}, which is not configured", name));
      }
    }
  }

  void adopted(LoadedConfiguration loadedConfiguration) {
    log.atInfo()
        .addKeyValue("hash", loadedConfiguration.hash())
        .addKeyValue("providers", loadedConfiguration.providers().size())
        .log("encryption configuration in use");
  }

  void providers(GateStatus gateStatus) {
    var now = new HashMap<String, String>();
    for (var state : gateStatus.providers()) {
      var key = state.provider().checkName() + " " + state.provider().name();
      now.put(key, summary(state));
      if (state.hasResult() && !summary(state).equals(logged.get(key))) {
        logState(state);
      }
    }
    logged =
        now.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static String summary(ProviderStatus state) {
    var probeFinding = state.finding();
    return state.verdict()
        + (probeFinding == null ? "" : " " + probeFinding.cause() + probeFinding.verdict());
  }

  private static void logState(ProviderStatus state) {
    var line =
        log.atLevel(
                state.verdict() == Verdict.OK && state.finding() == null ? Level.INFO : Level.WARN)
            .addKeyValue("provider", state.provider().name())
            .addKeyValue("index", state.provider().index())
            .addKeyValue("role", state.provider().role())
            .addKeyValue("verdict", state.verdict());
    var probeFinding = state.finding();
    if (probeFinding == null) {
      line.log("provider is ok");
      return;
    }
    line.addKeyValue("reason", probeFinding.reason().value())
        .addKeyValue("phase", probeFinding.phase().value())
        .addKeyValue("code", probeFinding.code())
        .addKeyValue("attempts", state.attempts())
        .log("{}; hint: {}", state.message(), probeFinding.hint());
  }
}
