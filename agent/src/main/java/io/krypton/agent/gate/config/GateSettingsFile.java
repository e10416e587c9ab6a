// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.config;

import io.krypton.kms.health.FatalPatterns;
import io.krypton.kms.health.Verdict;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content of a settings file; without a file everything is as usual. */
public record GateSettingsFile(
    FatalPatterns fatalPatterns, Map<String, ProviderSettings> providers) {
  public static final GateSettingsFile EMPTY =
      new GateSettingsFile(FatalPatterns.DEFAULT, Map.of());

  public GateSettingsFile {
    providers = Map.copyOf(providers);
  }

  public ProviderSettings forProvider(String provider) {
    return providers.getOrDefault(provider, ProviderSettings.DEFAULT);
  }

  /**
   * The HTTP health page that some plugins have.
   *
   * @param on500 what the answer 500 means
   */
  public record HttpHealthz(URI url, Verdict on500) {}

  /**
   * What a user says about one provider.
   *
   * @param required whether its failure stops the gate
   */
  public record ProviderSettings(boolean required, @Nullable HttpHealthz http) {
    public static final ProviderSettings DEFAULT = new ProviderSettings(true, null);
  }
}
