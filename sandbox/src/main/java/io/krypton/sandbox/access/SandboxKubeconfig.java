// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.access;

import io.krypton.base.crypto.Pem;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import io.krypton.sandbox.pki.InMemoryTls;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Base64;
import javax.net.ssl.SSLContext;

/** One user's way to one control plane, with the credentials inline. */
public record SandboxKubeconfig(
    String cluster, URI server, X509Certificate authority, String user, IssuedIdentity identity) {

  /** The same credentials towards another address, such as that of a fault proxy. */
  public SandboxKubeconfig via(URI otherServer) {
    return new SandboxKubeconfig(cluster, otherServer, authority, user, identity);
  }

  public String yaml() {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: %1$s
      cluster:
        server: %2$s
        certificate-authority-data: %3$s
    users:
    - name: %4$s
      user:
        client-certificate-data: %5$s
        client-key-data: %6$s
    contexts:
    - name: %1$s
      context:
        cluster: %1$s
        user: %4$s
    current-context: %1$s
    """
        .formatted(
            quoted(cluster),
            quoted(server.toString()),
            base64(Pem.encode(authority)),
            quoted(user + "@" + cluster),
            base64(identity.certificatePem()),
            base64(identity.keyPem()));
  }

  SSLContext tls() {
    return InMemoryTls.client(authority, identity);
  }

  private static String quoted(String value) {
    return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String base64(String pem) {
    return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
  }
}
