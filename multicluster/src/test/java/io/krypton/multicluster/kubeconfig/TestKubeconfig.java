// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Kubeconfig text whose cluster and user fields a test chooses. */
final class TestKubeconfig {
  static final CertificateAuthority AUTHORITY = CertificateAuthority.named("test");
  static final IssuedIdentity USER = AUTHORITY.user("jane", List.of("system:masters"));

  private TestKubeconfig() {}

  static String with(String clusterFields, String userFields) {
    return """
    apiVersion: v1
    kind: Config
    current-context: main
    clusters:
    - name: c
      cluster: {%s}
    users:
    - name: u
      user: {%s}
    contexts:
    - name: main
      context: {cluster: c, user: u}
    """
        .formatted(clusterFields, userFields);
  }

  static String full() {
    return with(
        "server: \"https://example.test:6443\", certificate-authority-data: " + authorityData(),
        "client-certificate-data: " + certificateData() + ", client-key-data: " + keyData());
  }

  static String authorityData() {
    return base64(AUTHORITY.certificatePem());
  }

  static String certificateData() {
    return base64(USER.certificatePem());
  }

  static String keyData() {
    return base64(USER.keyPem());
  }

  static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  static ParsedKubeconfig parse(String text) {
    return ParsedKubeconfig.parse(text.getBytes(StandardCharsets.UTF_8));
  }

  static ParsedKubeconfig.Accepted accepted(String text) {
    return switch (parse(text)) {
      case ParsedKubeconfig.Accepted accepted -> accepted;
      case ParsedKubeconfig.Refused(var reason) -> throw new AssertionError("refused: " + reason);
    };
  }

  static String refusal(String text) {
    return switch (parse(text)) {
      case ParsedKubeconfig.Refused(var reason) -> reason;
      case ParsedKubeconfig.Accepted accepted -> throw new AssertionError("accepted: " + accepted);
    };
  }
}
