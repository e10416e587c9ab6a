package io.krypton.multicluster.cluster.kubeconfig;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URISyntaxException;
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

  static Kubeconfig check(ContextChoice choice) throws KubeconfigProblem {
    refuseFile(choice.cluster(), "certificate-authority", "certificate-authority-data");
    for (var refused : REFUSED_USER_FIELDS.entrySet()) {
      if (Fields.present(choice.user(), refused.getKey())) {
        throw new KubeconfigProblem(
            "kubeconfig uses " + refused.getKey() + "; " + refused.getValue());
      }
    }
    for (var file : FILES_OF_USER.entrySet()) {
      refuseFile(choice.user(), file.getKey(), file.getValue());
    }
    return new Kubeconfig.Accepted(endpoint(choice.cluster()), credentials(choice.user()));
  }

  private static void refuseFile(ObjectNode node, String field, String inline)
      throws KubeconfigProblem {
    if (Fields.present(node, field)) {
      throw new KubeconfigProblem(
          "kubeconfig uses " + field + ", a file; " + ONLY_INLINE + ", use " + inline);
    }
  }

  private static ApiEndpoint endpoint(ObjectNode cluster) throws KubeconfigProblem {
    var authorities = Fields.decoded(cluster, "certificate-authority-data");
    var skips = Fields.flag(cluster, "insecure-skip-tls-verify");
    if (skips && authorities != null) {
      throw new KubeconfigProblem(
          "kubeconfig sets insecure-skip-tls-verify and certificate-authority-data; remove one");
    }
    return new ApiEndpoint(
        server(cluster),
        authorities == null
            ? List.of()
            : Pem.certificates(authorities, "certificate-authority-data"),
        skips,
        Fields.text(cluster, "tls-server-name"),
        proxy(cluster));
  }

  private static URI server(ObjectNode cluster) throws KubeconfigProblem {
    var server = url(cluster, "server", Set.of("https", "http"));
    if (server == null) {
      throw new KubeconfigProblem("clusters[].cluster.server is missing; set the API server's URL");
    }
    return server;
  }

  private static @Nullable URI proxy(ObjectNode cluster) throws KubeconfigProblem {
    var proxy = url(cluster, "proxy-url", Set.of("http", "https", "socks5"));
    if (proxy != null && proxy.getPort() < 0) {
      throw new KubeconfigProblem("proxy-url names no port; write scheme://host:port");
    }
    if (proxy != null
        && !"http".equalsIgnoreCase(proxy.getScheme())
        && !"https".equalsIgnoreCase(server(cluster).getScheme())) {
      throw new KubeconfigProblem(
          "proxy-url with https or socks5 is for a server with https only; correct one of them");
    }
    return proxy;
  }

  private static @Nullable URI url(ObjectNode node, String field, Set<String> schemes)
      throws KubeconfigProblem {
    var text = Fields.text(node, field);
    if (text == null) {
      return null;
    }
    URI url;
    try {
      url = new URI(text);
    } catch (URISyntaxException e) {
      throw new KubeconfigProblem(field + " is not a URL; write scheme://host:port");
    }
    if (url.getScheme() == null
        || !schemes.contains(url.getScheme().toLowerCase(Locale.ROOT))
        || url.getHost() == null
        || url.getPort() > MAX_PORT) {
      throw new KubeconfigProblem(
          field
              + " must be a URL with a host, a valid port and the scheme "
              + String.join(" or ", schemes));
    }
    if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new KubeconfigProblem(
          field + " holds a user, a query or a fragment; only scheme, host, port and path may be");
    }
    return url;
  }

  private static Credentials credentials(ObjectNode user) throws KubeconfigProblem {
    var impersonate = Fields.header(user, "as");
    var groups = Fields.headers(user, "as-groups");
    if (impersonate == null && !groups.isEmpty()) {
      throw new KubeconfigProblem("as-groups is set without as; set as, or remove as-groups");
    }
    var token = Fields.header(user, "token");
    if (token != null && token.indexOf(' ') >= 0) {
      throw new KubeconfigProblem("token holds a space; store the bare token");
    }
    return new Credentials(identity(user), token, impersonate, groups);
  }

  private static @Nullable ClientIdentity identity(ObjectNode user) throws KubeconfigProblem {
    var certificate = Fields.decoded(user, "client-certificate-data");
    var key = Fields.decoded(user, "client-key-data");
    if (certificate == null && key == null) {
      return null;
    }
    if (certificate == null || key == null) {
      throw new KubeconfigProblem(
          "client-certificate-data and client-key-data belong together; one of them is missing");
    }
    return Pem.identity(certificate, key);
  }
}
