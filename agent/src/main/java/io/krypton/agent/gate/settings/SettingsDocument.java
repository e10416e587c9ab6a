package io.krypton.agent.gate.settings;

import io.krypton.kms.verdict.FatalPatterns;
import java.util.Map;

/** The content of a settings file; without a file everything is as usual. */
public record SettingsDocument(
    FatalPatterns fatalPatterns, Map<String, ProviderSettings> providers) {
  public static final SettingsDocument NONE = new SettingsDocument(FatalPatterns.DEFAULT, Map.of());

  public SettingsDocument {
    providers = Map.copyOf(providers);
  }

  public ProviderSettings of(String provider) {
    return providers.getOrDefault(provider, ProviderSettings.DEFAULT);
  }
}
