package io.krypton.agent.gate.snapshot;

import io.krypton.kms.verdict.Verdict;
import java.util.List;

/**
 * A snapshot as it counts at one moment.
 *
 * @param complaint what the check of the configuration says; empty if it is content
 */
public record Judgement(
    ConfigurationView configuration, String complaint, List<ProviderState> providers) {
  public Judgement {
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
  public Judgement passingFatal() {
    return new Judgement(
        configuration,
        complaint,
        providers.stream()
            .map(
                state ->
                    state.verdict() == Verdict.FATAL
                        ? new ProviderState(
                            new GateProvider(state.provider().configured(), false),
                            state.verdict(),
                            state.finding(),
                            state.unknown(),
                            state.observed())
                        : state)
            .toList());
  }

  public List<ProviderState> required() {
    return providers.stream().filter(state -> state.provider().required()).toList();
  }
}
