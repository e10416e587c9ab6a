package io.krypton.agent.gate.snapshot;

import java.time.Duration;
import java.util.List;

/** All that the gate knows, in one immutable value. */
public record Snapshot(ConfigurationView configuration, List<ProviderView> providers) {
  public static final Snapshot EMPTY = new Snapshot(ConfigurationView.NOTHING_READ, List.of());

  public Snapshot {
    providers = List.copyOf(providers);
  }

  /** What it is worth at a moment of the monotonic clock. */
  public Judgement at(Duration now) {
    return new Judgement(
        configuration,
        configuration.complaint(now).orElse(""),
        providers.stream().map(provider -> provider.at(now)).toList());
  }
}
