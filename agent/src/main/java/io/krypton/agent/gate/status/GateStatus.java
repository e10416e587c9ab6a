// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import io.krypton.kms.health.Verdict;
import java.util.List;

/**
 * A snapshot as it counts at one moment.
 *
 * @param configurationError what the check of the configuration says; empty if it is content
 */
public record GateStatus(
    ConfigurationStatus configuration, String configurationError, List<ProviderStatus> providers) {
  public GateStatus {
    providers = List.copyOf(providers);
  }

  /** The worst of the required providers; without a configuration there is nothing to pass. */
  public Verdict overall() {
    var worst = configuration.inUse() == null ? Verdict.WAIT : Verdict.OK;
    for (var state : providers) {
      worst = state.provider().required() ? worst.orWorse(state.verdict()) : worst;
    }
    return worst;
  }

  /** As if providers that are beyond help were not required. */
  public GateStatus withFatalNotRequired() {
    return new GateStatus(
        configuration,
        configurationError,
        providers.stream()
            .map(
                state ->
                    state.verdict() == Verdict.FATAL
                        ? new ProviderStatus(
                            new GateProvider(state.provider().configured(), false),
                            state.verdict(),
                            state.finding(),
                            state.unknownReason(),
                            state.observation())
                        : state)
            .toList());
  }

  public List<ProviderStatus> required() {
    return providers.stream().filter(state -> state.provider().required()).toList();
  }
}
