package io.krypton.agent.gate.snapshot;

import io.krypton.kms.encryption.KmsProvider;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.protocol.KmsApi;

/**
 * One KMS provider of the configuration.
 *
 * @param required whether its failure stops the gate
 */
public record GateProvider(KmsProvider configured, boolean required) {

  public int index() {
    return configured.index();
  }

  public String name() {
    return configured.name();
  }

  public KmsApi api() {
    return configured.apiVersion();
  }

  public ProviderRole role() {
    return configured.role();
  }

  public String address() {
    return configured.address();
  }

  public String checkName() {
    return configured.checkName();
  }
}
