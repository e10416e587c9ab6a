// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import io.krypton.base.crypto.Pem;
import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.pki.CertificateAuthority;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The files that the servers of one control plane read, in a directory only the owner can enter.
 */
record ControlPlaneFiles(Path directory) {
  private static final List<String> SERVICE_NAMES =
      List.of("kubernetes", "kubernetes.default", "kubernetes.default.svc");
  private static final String AUDIT_POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [RequestReceived]
      rules:
      - level: None
        users: ["system:apiserver"]
      - level: Metadata
      """;

  Path etcdData() {
    return directory.resolve("etcd");
  }

  Path clientAuthority() {
    return directory.resolve("ca.crt");
  }

  Path servingCertificate() {
    return directory.resolve("apiserver.crt");
  }

  Path servingKey() {
    return directory.resolve("apiserver.key");
  }

  Path tokenKey() {
    return directory.resolve("tokens.key");
  }

  Path tokenPublicKey() {
    return directory.resolve("tokens.pub");
  }

  Path controllerManagerKubeconfig() {
    return directory.resolve("controller-manager.kubeconfig");
  }

  Path auditPolicy() {
    return directory.resolve("audit-policy.yaml");
  }

  Path auditLog() {
    return directory.resolve("audit.log");
  }

  Path encryptionConfig() {
    return directory.resolve("encryption.yaml");
  }

  void write(CertificateAuthority authority, Optional<String> encryptionConfig) {
    var serving = authority.server("kube-apiserver", SERVICE_NAMES);
    var tokens = CertificateAuthority.signingKeys();
    write(clientAuthority(), authority.certificatePem());
    write(servingCertificate(), serving.certificatePem());
    write(servingKey(), serving.keyPem());
    write(tokenKey(), Pem.encode(tokens.getPrivate()));
    write(tokenPublicKey(), Pem.encode(tokens.getPublic()));
    write(auditPolicy(), AUDIT_POLICY);
    encryptionConfig.ifPresent(yaml -> write(encryptionConfig(), yaml));
  }

  void writeControllerManagerKubeconfig(SandboxKubeconfig access) {
    write(controllerManagerKubeconfig(), access.yaml());
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
