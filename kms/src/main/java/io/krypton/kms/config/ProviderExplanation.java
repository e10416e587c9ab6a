// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import io.krypton.base.text.GoDuration;
import io.krypton.kms.config.EncryptionConfiguration.KmsProvider;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import java.util.List;

/** One provider, explained for people. */
public record ProviderExplanation(
    int index,
    String check,
    String name,
    ProviderRole role,
    String apiVersion,
    String address,
    String timeout,
    List<String> warnings) {

  public ProviderExplanation {
    warnings = List.copyOf(warnings);
  }

  /** Explains all providers in the order of the file. */
  public static List<ProviderExplanation> of(EncryptionConfiguration configuration) {
    return configuration.kmsProviders().stream().map(ProviderExplanation::of).toList();
  }

  private static ProviderExplanation of(KmsProvider provider) {
    return new ProviderExplanation(
        provider.index(),
        provider.checkName(),
        provider.name(),
        provider.role(),
        provider.apiVersion().value(),
        provider.address(),
        GoDuration.format(provider.timeout()),
        provider.warnings());
  }
}
