// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where an API server is and how it proves its identity.
 *
 * @param authorities the only certificates that may have signed the server's; empty means those of
 *     the JVM
 * @param tlsServerName accepted and kept, but ignored by the JDK transport
 */
public record ApiEndpoint(
    URI server,
    List<X509Certificate> authorities,
    boolean skipsTlsVerification,
    @Nullable String tlsServerName,
    @Nullable URI proxy) {

  public ApiEndpoint {
    authorities = List.copyOf(authorities);
  }

  @Override
  public String toString() {
    return "ApiEndpoint[" + server + "]";
  }
}
