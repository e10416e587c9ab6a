package io.krypton.kms.encryption;

import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import java.time.Duration;
import java.util.List;

/**
 * One KMS provider of the file. The index counts KMS providers over all entries; the endpoint may
 * be one that names no socket, because kube-apiserver accepts such.
 */
public record KmsProvider(
    int index,
    String name,
    KmsApi apiVersion,
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
