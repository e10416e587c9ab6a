// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.List;

/** A valid configuration: its KMS providers in the order of the file, and nothing of its keys. */
public record EncryptionConfiguration(List<KmsProvider> kmsProviders) {
  public EncryptionConfiguration {
    kmsProviders = List.copyOf(kmsProviders);
  }

  /**
   * One KMS provider of the file. The index counts KMS providers over all entries; the endpoint may
   * be one that names no socket, because kube-apiserver accepts such.
   */
  public record KmsProvider(
      int index,
      String name,
      KmsApiVersion apiVersion,
      Endpoint endpoint,
      Duration timeout,
      ProviderRole role,
      List<String> warnings) {

    public KmsProvider {
      warnings = List.copyOf(warnings);
    }

    public String address() {
      return endpoint.address();
    }

    /** The name of its health check. */
    public String checkName() {
      return "kms-provider-" + index;
    }
  }

  /** What an API server needs a provider for. */
  public enum ProviderRole {
    /** New data is encrypted by it. */
    WRITE,
    /** Only existing data is decrypted by it. */
    READ
  }
}
