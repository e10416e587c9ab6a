// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.status;

import io.krypton.kms.config.EncryptionConfiguration.KmsProvider;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.rpc.KmsApiVersion;

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

  public KmsApiVersion api() {
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
