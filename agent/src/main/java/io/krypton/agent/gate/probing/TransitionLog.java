package io.krypton.agent.gate.probing;

import io.krypton.agent.gate.settings.SettingsDocument;
import io.krypton.agent.gate.snapshot.Judgement;
import io.krypton.agent.gate.snapshot.ProviderState;
import io.krypton.kms.encryption.ReadResult;
import io.krypton.kms.verdict.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** One line for each change that somebody may want to know of, and none for what stays. */
final class TransitionLog {
  private static final Logger LOG = LoggerFactory.getLogger(TransitionLog.class);

  private Map<String, String> told = Map.of();

  void configuration(ReadResult result, SettingsDocument settings) {
    switch (result) {
      case ReadResult.Invalid wrong ->
          LOG.atWarn()
              .addKeyValue("hash", wrong.contentHash())
              .addKeyValue("hint", wrong.hint())
              .log("the encryption configuration cannot be used: {}", wrong.text());
      case ReadResult.Loaded loaded -> {
        loaded.warnings().forEach(LOG::warn);
        var providers = loaded.configuration().kmsProviders();
        providers.forEach(
            provider ->
                provider
                    .warnings()
                    .forEach(warning -> LOG.warn("provider {}: {}", provider.name(), warning)));
        settings.providers().keySet().stream()
            .filter(name -> providers.stream().noneMatch(provider -> provider.name().equals(name)))
            .forEach(
                name -> LOG.warn("the settings name provider {}, which is not configured", name));
      }
    }
  }

  void adopted(Candidate candidate) {
    LOG.atInfo()
        .addKeyValue("hash", candidate.hash())
        .addKeyValue("providers", candidate.providers().size())
        .log("encryption configuration in use");
  }

  void providers(Judgement judgement) {
    var now = new HashMap<String, String>();
    for (var state : judgement.providers()) {
      var key = state.provider().checkName() + " " + state.provider().name();
      now.put(key, face(state));
      if (state.isDecided() && !face(state).equals(told.get(key))) {
        tell(state);
      }
    }
    told =
        now.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static String face(ProviderState state) {
    var finding = state.finding();
    return state.verdict() + (finding == null ? "" : " " + finding.cause() + finding.verdict());
  }

  private static void tell(ProviderState state) {
    var line =
        LOG.atLevel(
                state.verdict() == Verdict.OK && state.finding() == null ? Level.INFO : Level.WARN)
            .addKeyValue("provider", state.provider().name())
            .addKeyValue("index", state.provider().index())
            .addKeyValue("role", state.provider().role())
            .addKeyValue("verdict", state.verdict());
    var finding = state.finding();
    if (finding == null) {
      line.log("provider is ok");
      return;
    }
    line.addKeyValue("reason", finding.reason().word())
        .addKeyValue("phase", finding.phase().word())
        .addKeyValue("code", finding.code())
        .addKeyValue("attempts", state.attempts())
        .log("{}; hint: {}", state.message(), finding.hint());
  }
}
