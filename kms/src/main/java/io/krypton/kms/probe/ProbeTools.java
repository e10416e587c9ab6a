package io.krypton.kms.probe;

import io.krypton.kms.verdict.Classification;
import io.krypton.kms.verdict.FatalPatterns;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** What probes need beside the plugin. */
public record ProbeTools(
    Classification rules,
    CanaryStore canaries,
    Clock clock,
    Ticker ticker,
    RandomGenerator random) {

  /** The default patterns, the clocks of the system, and canaries in memory. */
  public static ProbeTools standard() {
    return new ProbeTools(
        new Classification(FatalPatterns.DEFAULT),
        CanaryStore.inMemory(),
        Clock.systemUTC(),
        Ticker.system(),
        new SecureRandom());
  }
}
