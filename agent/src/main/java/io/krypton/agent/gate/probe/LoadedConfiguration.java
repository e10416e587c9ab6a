// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.gate.config.GateSettingsFile;
import io.krypton.agent.gate.probe.ProbePlan.Planner;
import io.krypton.agent.gate.status.GateProvider;
import io.krypton.kms.config.ReadResult;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A valid configuration with the plugins it needs. */
record LoadedConfiguration(
    String hash, Instant loadedAt, List<GateProvider> providers, Map<Integer, ProbePlan> plans) {
  private static final Duration MIN_GRACE_PERIOD = Duration.ofSeconds(10);

  LoadedConfiguration {
    providers = List.copyOf(providers);
    plans = Map.copyOf(plans);
  }

  static LoadedConfiguration of(ReadResult.Loaded loaded, GateSettingsFile settings, Instant now) {
    var providers =
        loaded.configuration().kmsProviders().stream()
            .map(
                provider ->
                    new GateProvider(provider, settings.forProvider(provider.name()).required()))
            .toList();
    return new LoadedConfiguration(
        loaded.contentHash(), now, providers, Planner.plansFor(providers, settings));
  }

  /** How long an API server may take to try it: v1 makes two calls for each check. */
  Duration gracePeriod() {
    var sum = Duration.ZERO;
    for (var provider : providers) {
      var timeout = provider.configured().timeout();
      sum = sum.plus(provider.api() == KmsApiVersion.V1 ? timeout.multipliedBy(2) : timeout);
    }
    var twice = sum.multipliedBy(2);
    return twice.compareTo(MIN_GRACE_PERIOD) > 0 ? twice : MIN_GRACE_PERIOD;
  }
}
