// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.base.crypto.Pem;
import io.krypton.base.crypto.PemException;
import io.krypton.base.crypto.PrivateKeys;
import io.krypton.multicluster.kubeconfig.ClusterCredentials.ClientIdentity;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which fields of a kubeconfig are accepted: only those that carry their value inline. */
final class KubeconfigPolicy {
  private static final int MAX_PORT = 65_535;
  private static final String ONLY_INLINE = "only inline credentials are accepted";

  /** Programs and passwords: there is no inline form of the same field. */
  private static final Map<String, String> REFUSED_USER_FIELDS =
      Map.of(
          "exec", ONLY_INLINE,
          "auth-provider", ONLY_INLINE,
          "username", "use token or client-certificate-data instead of a password",
          "password", "use token or client-certificate-data instead of a password",
          "as-uid", "impersonation by as and as-groups only is supported",
          "as-user-extra", "impersonation by as and as-groups only is supported");

  private static final Map<String, String> FILES_OF_USER =
      Map.of(
          "client-certificate", "client-certificate-data",
          "client-key", "client-key-data",
          "tokenFile", "token");

  private KubeconfigPolicy() {}

  static ParsedKubeconfig check(SelectedContext choice) throws KubeconfigException {
    refuseFile(choice.cluster(), "certificate-authority", "certificate-authority-data");
    for (var refused : REFUSED_USER_FIELDS.entrySet()) {
      if (KubeconfigFields.present(choice.user(), refused.getKey())) {
        throw new KubeconfigException(
            "kubeconfig uses " + refused.getKey() + "; " + refused.getValue());
      }
    }
    for (var file : FILES_OF_USER.entrySet()) {
      refuseFile(choice.user(), file.getKey(), file.getValue());
    }
    return new ParsedKubeconfig.Accepted(endpoint(choice.cluster()), credentials(choice.user()));
  }

  private static void refuseFile(ObjectNode node, String field, String inline)
      throws KubeconfigException {
    if (KubeconfigFields.present(node, field)) {
      throw new KubeconfigException(
          "kubeconfig uses " + field + ", a file; " + ONLY_INLINE + ", use " + inline);
    }
  }

  private static ApiEndpoint endpoint(ObjectNode cluster) throws KubeconfigException {
    var authorities = KubeconfigFields.decoded(cluster, "certificate-authority-data");
    var skips = KubeconfigFields.flag(cluster, "insecure-skip-tls-verify");
    if (skips && authorities != null) {
      throw new KubeconfigException(
          "kubeconfig sets insecure-skip-tls-verify and certificate-authority-data; remove one");
    }
    return new ApiEndpoint(
        server(cluster),
        authorities == null ? List.of() : certificates(authorities, "certificate-authority-data"),
        skips,
        KubeconfigFields.text(cluster, "tls-server-name"),
        proxy(cluster));
  }

  private static URI server(ObjectNode cluster) throws KubeconfigException {
    var server = url(cluster, "server", Set.of("https", "http"));
    if (server == null) {
      throw new KubeconfigException(
          "clusters[].cluster.server is missing; set the API server's URL");
    }
    return server;
  }

  private static @Nullable URI proxy(ObjectNode cluster) throws KubeconfigException {
    var proxy = url(cluster, "proxy-url", Set.of("http", "https", "socks5"));
    if (proxy != null && proxy.getPort() < 0) {
      throw new KubeconfigException("proxy-url names no port; write scheme://host:port");
    }
    if (proxy != null
        && !"http".equalsIgnoreCase(proxy.getScheme())
        && !"https".equalsIgnoreCase(server(cluster).getScheme())) {
      throw new KubeconfigException(
          "proxy-url with https or socks5 is for a server with https only; correct one of them");
    }
    return proxy;
  }

  private static @Nullable URI url(ObjectNode node, String field, Set<String> schemes)
      throws KubeconfigException {
    var text = KubeconfigFields.text(node, field);
    if (text == null) {
      return null;
    }
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      throw new KubeconfigException(field + " is not a URL; write scheme://host:port");
    }
    if (url.getScheme() == null
        || !schemes.contains(url.getScheme().toLowerCase(Locale.ROOT))
        || url.getHost() == null
        || url.getPort() > MAX_PORT) {
      throw new KubeconfigException(
          field
              + " must be a URL with a host, a valid port and the scheme "
              + String.join(" or ", schemes));
    }
    if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new KubeconfigException(
          field + " holds a user, a query or a fragment; only scheme, host, port and path may be");
    }
    return url;
  }

  private static ClusterCredentials credentials(ObjectNode user) throws KubeconfigException {
    var impersonate = KubeconfigFields.header(user, "as");
    var groups = KubeconfigFields.headers(user, "as-groups");
    if (impersonate == null && !groups.isEmpty()) {
      throw new KubeconfigException("as-groups is set without as; set as, or remove as-groups");
    }
    var token = KubeconfigFields.header(user, "token");
    if (token != null && token.indexOf(' ') >= 0) {
      throw new KubeconfigException("token holds a space; store the bare token");
    }
    return new ClusterCredentials(identity(user), token, impersonate, groups);
  }

  private static @Nullable ClientIdentity identity(ObjectNode user) throws KubeconfigException {
    var certificate = KubeconfigFields.decoded(user, "client-certificate-data");
    var key = KubeconfigFields.decoded(user, "client-key-data");
    if (certificate == null && key == null) {
      return null;
    }
    if (certificate == null || key == null) {
      throw new KubeconfigException(
          "client-certificate-data and client-key-data belong together; one of them is missing");
    }
    var identity =
        new ClientIdentity(certificates(certificate, "client-certificate-data"), privateKey(key));
    if (!PrivateKeys.belongTogether(identity.key(), identity.certificate().getPublicKey())) {
      throw new KubeconfigException(
          "client-key-data is not the key of client-certificate-data; store both of the same pair");
    }
    return identity;
  }

  private static List<X509Certificate> certificates(byte[] pem, String field)
      throws KubeconfigException {
    try {
      return Pem.certificates(pem);
    } catch (PemException e) {
      throw new KubeconfigException(
          field + " holds no readable certificate; store the base64 of a PEM certificate");
    }
  }

  private static PrivateKey privateKey(byte[] pem) throws KubeconfigException {
    try {
      return PrivateKeys.read(pem);
    } catch (PemException e) {
      var problem =
          e.problem() == PemException.Problem.ENCRYPTED_PRIVATE_KEY
              ? "is encrypted"
              : e.getMessage();
      throw new KubeconfigException(
          "client-key-data " + problem + "; store the base64 of an unencrypted PEM key");
    }
  }
}
