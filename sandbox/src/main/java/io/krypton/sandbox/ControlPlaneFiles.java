// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import io.krypton.base.crypto.Pem;
import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.nodes.SimulatedNodes;
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

  Path schedulerKubeconfig() {
    return directory.resolve("scheduler.kubeconfig");
  }

  Path schedulerConfiguration() {
    return directory.resolve("scheduler.yaml");
  }

  Path kwokKubeconfig() {
    return directory.resolve("kwok.kubeconfig");
  }

  Path kwokConfiguration() {
    return directory.resolve("kwok.yaml");
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

  void writeForNodes(SandboxKubeconfig scheduler, SandboxKubeconfig kwok) {
    write(schedulerKubeconfig(), scheduler.yaml());
    write(schedulerConfiguration(), schedulerConfiguration(schedulerKubeconfig()));
    write(kwokKubeconfig(), kwok.yaml());
    write(kwokConfiguration(), SimulatedNodes.kwokConfiguration());
  }

  /** A pod that found no place is tried again soon: places come and go quickly here. */
  private static String schedulerConfiguration(Path kubeconfig) {
    return """
    apiVersion: kubescheduler.config.k8s.io/v1
    kind: KubeSchedulerConfiguration
    clientConnection: {kubeconfig: %s, qps: 200, burst: 400}
    leaderElection: {leaderElect: false}
    enableProfiling: false
    podMaxBackoffSeconds: 2
    """
        .formatted(kubeconfig);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
