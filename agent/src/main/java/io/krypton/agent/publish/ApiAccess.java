package io.krypton.agent.publish;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where the API server is and how to prove who we are. Two equal values need no new connection.
 *
 * @param tlsServerName the name to ask for and to expect in the certificate, instead of the host
 * @param trustedCertificates PEM; null trusts what the Java runtime trusts
 */
public record ApiAccess(
    URI server,
    @Nullable String tlsServerName,
    boolean skipTlsVerify,
    @Nullable String trustedCertificates,
    @Nullable String token,
    @Nullable ClientCertificate clientCertificate) {

  /** A certificate chain and its private key, both PEM. */
  public record ClientCertificate(String chain, String privateKey) {
    @Override
    public String toString() {
      return "ClientCertificate[***]";
    }
  }

  /** Names the server only: the rest is secret. */
  @Override
  public String toString() {
    return "ApiAccess[" + server + "]";
  }
}
