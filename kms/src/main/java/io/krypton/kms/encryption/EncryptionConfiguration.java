package io.krypton.kms.encryption;

import java.util.List;

/** A valid configuration: its KMS providers in the order of the file, and nothing of its keys. */
public record EncryptionConfiguration(List<KmsProvider> kmsProviders) {
  public EncryptionConfiguration {
    kmsProviders = List.copyOf(kmsProviders);
  }
}
