package io.krypton.agent.gate.settings;

import org.jspecify.annotations.Nullable;

/**
 * What a user says about one provider.
 *
 * @param required whether its failure stops the gate
 */
public record ProviderSettings(boolean required, @Nullable HttpHealthz http) {
  public static final ProviderSettings DEFAULT = new ProviderSettings(true, null);
}
