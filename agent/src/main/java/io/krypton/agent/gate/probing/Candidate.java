package io.krypton.agent.gate.probing;

import io.krypton.agent.gate.settings.SettingsDocument;
import io.krypton.agent.gate.snapshot.GateProvider;
import io.krypton.kms.encryption.ReadResult;
import io.krypton.kms.protocol.KmsApi;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A valid configuration with the plugins it needs. */
record Candidate(
    String hash, Instant loadedAt, List<GateProvider> providers, Map<Integer, ProbePlan> plans) {
  private static final Duration LEAST_GRACE = Duration.ofSeconds(10);

  Candidate {
    providers = List.copyOf(providers);
    plans = Map.copyOf(plans);
  }

  static Candidate of(ReadResult.Loaded loaded, SettingsDocument settings, Instant now) {
    var providers =
        loaded.configuration().kmsProviders().stream()
            .map(provider -> new GateProvider(provider, settings.of(provider.name()).required()))
            .toList();
    return new Candidate(loaded.contentHash(), now, providers, ProbePlans.of(providers, settings));
  }

  /** How long an API server may take to try it: v1 makes two calls for each check. */
  Duration grace() {
    var sum = Duration.ZERO;
    for (var provider : providers) {
      var timeout = provider.configured().timeout();
      sum = sum.plus(provider.api() == KmsApi.V1 ? timeout.multipliedBy(2) : timeout);
    }
    var twice = sum.multipliedBy(2);
    return twice.compareTo(LEAST_GRACE) > 0 ? twice : LEAST_GRACE;
  }
}
