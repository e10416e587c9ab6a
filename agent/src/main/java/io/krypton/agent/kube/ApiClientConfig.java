// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Where the API server is and how to prove who we are. Two equal values need no new connection.
 *
 * @param tlsServerName the name to ask for and to expect in the certificate, instead of the host
 * @param trustedCertificates PEM; null trusts what the Java runtime trusts
 */
public record ApiClientConfig(
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

  /** Decides whether some text can be a bearer token. */
  static final class BearerToken {
    private BearerToken() {}

    /** The token without the line end that files carry; anything else unprintable is refused. */
    static String of(String where, String text) throws UnusableCredentialsException {
      var token = text.strip();
      if (token.isEmpty()) {
        throw new UnusableCredentialsException(where + " is empty");
      }
      if (token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
        throw new UnusableCredentialsException(where + " holds characters that no token has");
      }
      return token;
    }
  }

  /** Accepts the address of an API server: https, a host, no user, no query. */
  static final class ServerUrl {
    private ServerUrl() {}

    static URI parse(String where, String text) throws UnusableCredentialsException {
      URI uri;
      try {
        uri = new URI(text);
      } catch (URISyntaxException e) {
        // The exception quotes the text, which may carry a password.
        throw new UnusableCredentialsException(where + " is not a URL");
      }
      var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
      if (!scheme.equals("https")) {
        throw new UnusableCredentialsException(where + " must be an https URL");
      }
      if (uri.getHost() == null || uri.getRawUserInfo() != null) {
        throw new UnusableCredentialsException(
            where + " must be https://<host>:<port> without a user");
      }
      if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
        throw new UnusableCredentialsException(where + " must not have a query or a fragment");
      }
      return withoutTrailingSlash(uri);
    }

    /** Paths of the API begin with a slash and are appended as they are. */
    private static URI withoutTrailingSlash(URI uri) {
      return URI.create(uri.toString().replaceFirst("/+$", ""));
    }
  }
}
